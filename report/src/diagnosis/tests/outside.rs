use super::*;

const WITHOUT_DEFAULT: &str = "To see what its operators would need in the arena, run once without it: in Python with \
     `experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES`, in C++ with \
     `BuiltinOpResolverWithoutDefaultDelegates`.";

/// Most is needed at the delegate's node, of which the map says nothing; and the same among nodes of the runtime's own.
#[test]
fn a_delegate_that_runs_most_is_told_of_first_and_its_node_has_no_advice() {
    let told = |text: &str| diagnose(&[graph(text)]);
    let most = told("x 640 input\ny 640 output\nDELEGATE:XNNPACK x -> y");
    assert_eq!((most[0].id, most[1].id), ("delegated", "peak"));
    assert_eq!(most[1].advice, None);
    let some = told("x 64 input\na 64\nb 64\ny 64 output\nDELEGATE:XNNPACK x -> a\nRELU a -> b\nRELU b -> y");
    assert_ne!(some[0].id, "delegated");
    assert!(some.iter().any(|finding| finding.id == "delegated"));
}

pub(super) const CASES: &[Case] = &[
    Case {
        id: "dynamic-tensors",
        says: || vec![graph("x 640 input\nd 1000 dynamic\ne 234 dynamic\ny 64 output\nWHERE x -> d\nCAST d -> y | e")],
        text: "2 tensors are dynamic: allocated at run time, outside the arena, with 1,234 bytes as last seen. First \
               written: d (1) at node 0 (WHERE) and e (2) at node 1 (CAST).",
        advice: "Where the model can be given fixed shapes instead, they are planned like all others.",
        is_silent: || vec![graph("x 640 input\nd 1000\ny 64 output\nRELU x -> d\nCAST d -> y")],
    },
    Case {
        id: "dynamic-tensors",
        says: || vec![graph("x 640 input\nd 0 dynamic\nWHERE x -> d")],
        text: "1 tensor is dynamic: allocated at run time, outside the arena. First written: d (1) at node 0 (WHERE).",
        advice: "Where the model can be given fixed shapes instead, they are planned like all others.",
        is_silent: || vec![graph("x 640 input\nd 64\nRELU x -> d")],
    },
    Case {
        id: "delegated",
        says: || {
            let text =
                "x 64 input\na 64\nb 64\ny 64 output\nDELEGATE:XNNPACK x -> a\nCAST a -> b\nDELEGATE:XNNPACK b -> y";
            vec![graph(text)]
        },
        text: "Of 3 nodes, 2 are run by a delegate (XNNPACK): what it allocates for itself is not in this map.",
        advice: WITHOUT_DEFAULT,
        is_silent: || vec![graph("x 64 input\ny 64 output\nCUSTOM:Mine x -> y")],
    },
    Case {
        id: "delegated",
        says: || vec![graph("x 64 input\ny 64 output\nDELEGATE:Mine x -> y")],
        text: "Of 1 node, 1 is run by a delegate (Mine): what it allocates for itself is not in this map.",
        advice: "To see what its operators would need in the arena, run once without the delegate.",
        is_silent: || vec![graph("x 64 input\ny 64 output\nRELU x -> y")],
    },
];
