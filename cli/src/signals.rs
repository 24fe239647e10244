//! Waits for the program, and hands it what it is sent through us.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

use nix::errno::Errno;
use nix::libc::SI_KERNEL;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;

/// What asks a program to end.
const PASSED_ON: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];

/// Signals that are held back and read from a descriptor. They are blocked rather than handled, so that what we were told to
/// ignore, as by nohup, stays ignored in the program.
pub(crate) struct Signals {
    descriptor: SignalFd,
    blocked_before: SigSet,
}

impl Signals {
    /// Holds back what is to be passed on, and what tells of an end.
    pub(crate) fn hold() -> nix::Result<Self> {
        let mut set = SigSet::from_iter(PASSED_ON);
        set.add(Signal::SIGCHLD);
        let blocked_before = set.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
        Ok(Self { descriptor: SignalFd::new(&set)?, blocked_before })
    }

    /// Starts the program, from which nothing is held back.
    pub(crate) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let blocked_before = self.blocked_before;
        // SAFETY: between fork and exec only what is async-signal-safe may be called, and setting the mask is.
        unsafe { command.pre_exec(move || Ok(blocked_before.thread_set_mask()?)) };
        command.spawn()
    }

    /// Passes signals on until the program has ended.
    pub(crate) fn pass_on_until_end_of(&self, child: &mut Child) -> io::Result<ExitStatus> {
        // Until it is waited for its number is its own.
        let pid = Pid::from_raw(child.id().try_into().map_err(io::Error::other)?);
        loop {
            if let Some(exit) = child.try_wait()? {
                return Ok(exit);
            }
            let received = match self.descriptor.read_signal() {
                Ok(Some(received)) => received,
                // As after a stop and a continuation.
                Ok(None) | Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            };
            // What the terminal sends, for Ctrl-C say, it has sent to the program as well.
            if received.ssi_code == SI_KERNEL {
                continue;
            }
            if let Some(signal) = PASSED_ON.into_iter().find(|signal| *signal as u32 == received.ssi_signo) {
                // A program that has become another user's does not hear of it, and is waited for all the same.
                let _ = kill(pid, signal);
            }
        }
    }
}

/// What asks for an end while we work ourselves. It is held back until dropped, so that what has been found by then can be
/// handed over.
pub(crate) struct Interrupt {
    descriptor: SignalFd,
    blocked_before: SigSet,
}

impl Interrupt {
    /// Holds it back.
    pub(crate) fn hold() -> nix::Result<Self> {
        let set = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM]);
        let blocked_before = set.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
        Ok(Self {
            descriptor: SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?,
            blocked_before,
        })
    }

    /// Whether it has come; it is told once.
    pub(crate) fn has_come(&self) -> bool {
        matches!(self.descriptor.read_signal(), Ok(Some(_)))
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        // It was set once and can be set again.
        let _ = self.blocked_before.thread_set_mask();
    }
}
