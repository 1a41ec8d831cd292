//! Dogs whose proportions vary, with more or fewer markers than the library's.

use condyle::simulate::{Performer, Site};

use super::people::Chance;

/// The name of their marker set.
pub const SET: &str = "dog";

/// What the trunk has at least, as that of people has: without three markers on anything nothing has an orientation.
const LEAST_ON_TRUNK: usize = 3;

/// A dog with so many markers on every segment.
///
/// Bones vary by 8 %, markers by 6 mm; what is missing is put near those that are there.
pub fn dog(markers: usize, seed: u64) -> Performer {
    let mut chance = Chance::new(seed ^ 0xd09);
    let mut performer = Performer::dog().scaled(chance.between(0.8, 1.3));
    // Of a pair both are alike: a crooked dog does not walk.
    let mut lengths = std::collections::BTreeMap::new();
    for segment in &mut performer.segments {
        let part = segment.name.trim_start_matches("left ").trim_start_matches("right ").to_owned();
        let factor = *lengths.entry(part).or_insert_with(|| chance.normal(0.08).exp());
        if segment.parent.is_some() {
            segment.joint_in_parent_m.coords *= factor;
        }
        let own: Vec<Site> = segment.sites.clone();
        let is_trunk = ["pelvis", "chest"].contains(&segment.name.as_str());
        let markers = if is_trunk { markers.max(LEAST_ON_TRUNK) } else { markers };
        while segment.sites.len() < markers && !own.is_empty() {
            segment.sites.push(own[segment.sites.len() % own.len()].clone());
        }
        segment.sites.truncate(markers);
        for (index, site) in segment.sites.iter_mut().enumerate() {
            let spread_m = if index < own.len() { 0.006 } else { 0.025 };
            let at = site.in_segment_m;
            site.in_segment_m = chance.place([at.x, at.y, at.z], [spread_m; 3]);
            let label = format!("{} {}", segment.name, index + 1);
            site.labels = [(SET.to_owned(), label)].into();
        }
    }
    performer.marker_set = SET.to_owned();
    performer
}
