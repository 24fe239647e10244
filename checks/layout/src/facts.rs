//! Offsets, sizes and values in a header, as bindgen states them.

use std::collections::BTreeMap;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprIndex, ItemConst, ItemType, Lit};

/// Facts by name: `TfLiteTensor::bytes` is an offset, `sizeof TfLiteTensor` a size, `kTfLiteArenaRw` a value.
#[derive(Debug, Default)]
pub struct Facts(BTreeMap<String, u64>);

impl Facts {
    /// Compiles the header as C++ and reads every TFLite struct and enum in it.
    pub fn of_header(header: &Path, include: Option<&Path>) -> Self {
        let mut builder = bindgen::builder()
            .header(header.to_str().expect("a path in UTF-8"))
            .clang_args(["-x", "c++", "-std=c++17"])
            .allowlist_type("TfLite.*")
            .opaque_type("std::.*")
            .layout_tests(true);
        if let Some(include) = include {
            builder = builder.clang_arg(format!("-I{}", include.display()));
        }
        let bindings = builder
            .generate()
            .unwrap_or_else(|error| panic!("{}: {error}", header.display()));
        let file = syn::parse_file(&bindings.to_string()).expect("bindgen writes Rust");
        let mut facts = Self::default();
        facts.visit_file(&file);
        facts
    }

    /// The fact of this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

impl<'ast> Visit<'ast> for Facts {
    /// `["Offset of field: S::f"][::std::mem::offset_of!(S, f) - 8usize]`, and the same with `Size of S`: bindgen's way to
    /// let the compiler check a number.
    fn visit_expr_index(&mut self, assertion: &'ast ExprIndex) {
        if let (Some(text), Expr::Binary(difference)) = (only_text(&assertion.expr), &*assertion.index)
            && matches!(difference.op, BinOp::Sub(_))
            && let Some(value) = number(&difference.right)
        {
            if let Some(field) = text.strip_prefix("Offset of field: ") {
                // bindgen marks names that are keywords of Rust with an underscore.
                self.0.insert(field.trim_end_matches('_').into(), value);
            } else if let Some(name) = text.strip_prefix("Size of ") {
                self.0.insert(format!("sizeof {name}"), value);
            }
        }
        visit::visit_expr_index(self, assertion);
    }

    /// `pub const TfLiteAllocationType_kTfLiteArenaRw: TfLiteAllocationType = 2;`
    fn visit_item_const(&mut self, constant: &'ast ItemConst) {
        let name = constant.ident.to_string();
        if let (Some((_, enumerator)), Some(value)) = (name.split_once("_kTfLite"), number(&constant.expr)) {
            self.0.insert(format!("kTfLite{enumerator}"), value);
        }
        visit::visit_item_const(self, constant);
    }

    /// `pub type TfLiteAllocationType = ::std::os::raw::c_uint;` tells how wide an enum is.
    fn visit_item_type(&mut self, alias: &'ast ItemType) {
        if let syn::Type::Path(path) = &*alias.ty
            && let Some(last) = path.path.segments.last()
        {
            let size = match last.ident.to_string().as_str() {
                "c_uint" | "c_int" | "u32" | "i32" => 4,
                "c_ulong" | "c_long" | "u64" | "i64" => 8,
                _ => return,
            };
            self.0.insert(format!("sizeof {}", alias.ident), size);
        }
    }
}

fn only_text(expression: &Expr) -> Option<String> {
    let Expr::Array(array) = expression else {
        return None;
    };
    match array.elems.first()? {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn number(expression: &Expr) -> Option<u64> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
