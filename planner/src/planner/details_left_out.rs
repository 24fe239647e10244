//! In the place of the details: nothing. Part of a build without the feature `inspect`.

use super::Planner;
use crate::fallible::OutOfMemory;
use crate::text::TextSink;

pub(super) struct Details;

impl Planner {
    pub(super) fn details(&self) -> Result<Details, OutOfMemory> {
        Ok(Details)
    }
}

impl Details {
    pub(super) fn write_picture(&self, _: &mut impl TextSink) {}

    pub(super) fn write_letter(&self, _: i32, _: &mut impl TextSink) {}

    pub(super) fn write_previous(&self, _: i32, _: &mut impl TextSink) {}
}
