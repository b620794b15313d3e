//! Findings about an archive: checksums, sizes, names.

use super::{Archive, End};
use crate::limits::Limits;
use crate::report::{Report, Severity};

impl Archive {
    /// Adds findings about the archive itself: checksums, sizes, names.
    pub(crate) fn check(&self, report: &mut Report) {
        // One budget for all entries, although each is freed before the next: it also bounds the running time.
        let data_bytes = self.entries.iter().map(|entry| entry.data.0.len()).sum();
        let budget = Limits::default().budget(data_bytes);
        let odd_counts =
            |end: &End| end.stated_entries_on_disk.is_some() || end.stated_size.is_some();
        if self.end.as_ref().is_some_and(odd_counts) {
            let message = "its end states a wrong size or number of entries";
            report.add(
                Severity::Odd,
                "directory",
                "archive.directory",
                None,
                message,
            );
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let path = || format!("archive.entries[{index}]");
            let Some(directory) = &entry.directory else {
                continue;
            };
            if directory.name != entry.header.name {
                report.add(
                    Severity::Odd,
                    "entry-name",
                    path(),
                    None,
                    "the directory has another name",
                );
            }
            match entry.inflate(&budget) {
                Ok(inflated) if inflated.broken.is_none() => {
                    let (size, crc32) = (inflated.bytes.len(), libdeflater::crc32(&inflated.bytes));
                    if size != directory.facts.size as usize {
                        let message = format!(
                            "{size} bytes, but the directory says {}",
                            directory.facts.size
                        );
                        report.add(Severity::Odd, "entry-size", path(), None, message);
                    }
                    if crc32 != directory.facts.crc32 {
                        report.add(
                            Severity::Odd,
                            "entry-crc",
                            path(),
                            None,
                            "the checksum is wrong",
                        );
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    let severity = if error.is_out_of_memory() {
                        Severity::Odd
                    } else {
                        Severity::Note
                    };
                    report.add(severity, "entry", path(), None, error.to_string());
                }
            }
        }
    }
}
