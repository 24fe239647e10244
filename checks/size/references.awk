# Reads a disassembly of objdump and prints "FUNCTION -> WHAT" for each instruction that calls, jumps to or takes the
# address of another function, and for each ud2, the instruction that ends a process. Offsets and symbol versions are
# left out of names.

function plain(name) {
    sub(/\+0x[0-9a-f]+$/, "", name)
    sub(/@.*$/, "", name)
    return name
}

# "0000000000001040 <core::panicking::panic_fmt>:" begins a function.
/^[0-9a-f]+ <.*>:$/ {
    sub(/^[0-9a-f]+ </, "")
    sub(/>:$/, "")
    function_name = plain($0)
    next
}

/\tud2/ {
    print function_name " -> ud2"
    next
}

# "    1041:\tcall   1150 <name>" or, through a table, "    1041:\tcall   *0xdf41(%rip)        # ef88 <name>".
/^ *[0-9a-f]+:\t.* <.*>$/ {
    sub(/^[^<]*</, "")
    sub(/>$/, "")
    target = plain($0)
    if (target != function_name) print function_name " -> " target
}
