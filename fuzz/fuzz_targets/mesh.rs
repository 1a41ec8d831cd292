#![no_main]

use condyle::format::mesh::{Storage, read, write};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok((mesh, _)) = read(data) else { return };
    let _ = mesh.solid();
    let mut text = Vec::new();
    write(&mesh, Storage::Text, &mut text).unwrap();
    assert!(read(&text).unwrap().0 == mesh, "what was written reads as something else");
    for storage in [Storage::LittleEndian, Storage::BigEndian] {
        let mut bytes = Vec::new();
        write(&mesh, storage, &mut bytes).unwrap();
        read(&bytes).unwrap();
    }
});
