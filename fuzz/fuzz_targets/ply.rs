#![no_main]

use condyle::format::ply::{Storage, read, write};
use condyle::solid::ClosedSurface;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok((surface, _)) = read(data) else { return };
    for storage in [Storage::Text, Storage::LittleEndian, Storage::BigEndian] {
        let mut bytes = Vec::new();
        write(&surface, storage, &mut bytes).unwrap();
        assert!(read(&bytes).unwrap().0 == surface, "what was written reads as something else");
    }
    let _ = ClosedSurface::new(surface.vertices_m, surface.triangles);
});
