//! Files that people name; "-" is standard input or standard output.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use arena_report::text::printable;
use arena_report::{MemoryMap, Strategy};

use crate::failure::Failure;

/// Whether a path stands for standard input or standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// No model's file is larger: it counts with 31 bits. What never ends, such as a device, is read no further.
const MOST_BYTES: u64 = 1 << 31;

/// A file that was read.
pub(crate) struct Input {
    name: String,
    title: String,
    pub(crate) content: Vec<u8>,
}

impl Input {
    /// Reads all of it.
    pub(crate) fn read(path: &Path) -> Result<Input, Failure> {
        let name = if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() };
        let title = path.file_name().filter(|_| !is_standard(path));
        let title = title.map_or_else(|| name.clone(), |title| title.to_string_lossy().into_owned());
        let mut input = Input { name, title, content: Vec::new() };
        let read = if is_standard(path) {
            read_some(io::stdin().lock(), 0, &mut input.content)
        } else {
            let open = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
            open.and_then(|(size, file)| read_some(file, size, &mut input.content))
        };
        read.map_err(|error| input.refused(error))?;
        Ok(input)
    }

    /// What to call it where its folder does not matter.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// Where it is.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What it tells under this title, planned anew by a strategy if one is given.
    pub(crate) fn maps(&self, title: &str, strategy: Option<Strategy>) -> Result<Vec<MemoryMap>, Failure> {
        arena_report::input::read(&self.content, title, strategy).map_err(|refusal| self.refused(refusal))
    }

    /// What is wrong with it.
    pub(crate) fn refused(&self, why: impl Display) -> Failure {
        Failure::own(printable(&format!("{}: {why}", self.name)))
    }
}

/// Reads all of it, if it is not too much; `known` is how much it is known to be.
fn read_some(source: impl Read, known: u64, content: &mut Vec<u8>) -> io::Result<()> {
    let too_large = || io::Error::other(format!("it has more than {MOST_BYTES} bytes"));
    if known > MOST_BYTES {
        return Err(too_large());
    }
    source.take(MOST_BYTES + 1).read_to_end(content)?;
    if content.len() as u64 > MOST_BYTES { Err(too_large()) } else { Ok(()) }
}

/// Refuses to write one file twice, or over what is read.
pub(crate) fn refuse_overwriting<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let mut taken: Vec<PathBuf> = inputs.into_iter().filter(|path| !is_standard(path)).map(target).collect();
    for path in outputs.into_iter().filter(|path| is_replaceable(path)) {
        let target = target(path);
        if taken.contains(&target) {
            return Err(Failure::own(printable(&format!(
                "{} cannot be written: it is another of the files",
                path.display()
            ))));
        }
        taken.push(target);
    }
    Ok(())
}

/// The file that a path leads to, whether it is there or not.
fn target(path: &Path) -> PathBuf {
    let beside = || Some(path.parent()?.join(".").canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Writes to standard output.
pub(crate) fn write_to_standard_output(content: &[u8]) -> Result<(), Failure> {
    let written = io::stdout().lock().write_all(content);
    written.map_err(|error| Failure::own(format!("cannot write to standard output: {error}")))
}

/// Writes files, each whole or not at all, and none at all where it turns out early that one cannot be written.
pub(crate) fn write(files: &[(&Path, Vec<u8>)]) -> Result<(), Failure> {
    let cannot = |path: &Path, error: io::Error| Failure::own(format!("cannot write {}: {error}", path.display()));
    let draft = |&(path, ref content): &(&'_ Path, Vec<u8>)| match is_replaceable(path) {
        true => Draft::write(path, content).map(Some).map_err(|error| cannot(path, error)),
        false => Ok(None),
    };
    let drafts = files.iter().map(draft).collect::<Result<Vec<_>, _>>()?;
    for ((path, content), draft) in files.iter().zip(drafts) {
        match draft {
            Some(draft) => draft.publish().map_err(|error| cannot(path, error))?,
            None if is_standard(path) => write_to_standard_output(content)?,
            None => fs::write(path, content).map_err(|error| cannot(path, error))?,
        }
    }
    Ok(())
}

/// Whether a new file may take the place of what is there: not that of a pipe or a device.
fn is_replaceable(path: &Path) -> bool {
    !is_standard(path) && fs::metadata(path).map_or(true, |file| file.is_file())
}

/// A file beside the one that it is going to be; removed when dropped before.
struct Draft {
    path: PathBuf,
    target: PathBuf,
}

impl Draft {
    fn write(path: &Path, content: &[u8]) -> io::Result<Draft> {
        // Where there is a link, the file that it leads to is the one that is meant.
        let target = target(path);
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
        let mut attempt = 0;
        let (draft, mut file) = loop {
            let mut draft_name = OsString::from(".");
            draft_name.push(name);
            draft_name.push(format!(".{}-{attempt}", process::id()));
            let path = target.with_file_name(draft_name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => break (Draft { path, target }, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        };
        file.write_all(content)?;
        if let Ok(old) = fs::metadata(&draft.target) {
            file.set_permissions(old.permissions())?;
        }
        Ok(draft)
    }

    fn publish(self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It is gone where it was published.
        let _ = fs::remove_file(&self.path);
    }
}
