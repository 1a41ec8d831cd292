//! Tables of points whose centre is known.
use std::fmt::Write;

/// Example 1 of the 2005 draft.
pub const EXAMPLE_1: &str = "x,y,z
1.71641,.0532489,.534942
-.257165,-.984895,.59321
-.0154738,.0295651,1.90681
1.19134,-.00156902,1.9146
1.31147,.607414,.374474
1.2274,-.0905109,1.91278
1.62875,-.631279,.507247
.367905,.908098,.472217
1.74362,-.526356,.621037
.510973,-1.29795,.495898
";

/// Example 2 of the 2005 draft, on a circle.
pub const EXAMPLE_2: &str = "x,y,z
.965464,.896476,.641555
1.68157,.248753,.703445
1.61990,-.871485,.930594
-.592497,-.0747179,1.01050
-.402654,-.818748,1.12976
-.0912121,-1.14638,1.16056
.117659,-1.26534,1.16835
-.569521,-.403927,1.06119
1.69910,-.702110,.889177
1.67226,-.724973,.891406
";

pub fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Points on a sphere of many directions, without noise.
pub fn ball(centre: [f64; 3], radius: f64) -> String {
    let mut text = "x,y,z\n".to_owned();
    for i in 0..60 {
        let (t, p) = (f64::from(i) * 0.37, f64::from(i) * 0.11);
        let unit = [t.cos() * p.cos(), t.sin() * p.cos(), p.sin()];
        let [x, y, z] = [0, 1, 2].map(|axis| centre[axis] + radius * unit[axis]);
        writeln!(text, "{x},{y},{z}").unwrap();
    }
    text
}
