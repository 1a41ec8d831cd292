//! Tiny recordings and descriptions of every format: what fuzzers and damaged inputs begin from.

use condyle::format::c3d::{Storage, WriteOptions, write_with};
use condyle::format::{self, mesh};
use condyle::simulate::Performer;
use condyle::trial::{Body, Channel, Event, Format, LengthUnit, Marker, Processor, pose_from_wxyz};
use condyle::{Result, Trial};
use nalgebra::Point3;

/// A small file.
pub struct Small {
    /// The reader that takes it: the name of its fuzz target.
    pub target: &'static str,
    /// Its name, without an ending.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

fn trial() -> Trial {
    let mut trial = Trial::new(Format::C3d, 50.0);
    trial.frames = 3;
    trial.source.unit = LengthUnit::Millimetre;
    for label in ["JOE:RTHI", "JOE:RKNE", "*3"] {
        let at = |frame: usize| (frame != 1).then(|| Point3::new(0.5, 0.25 * frame as f64, 1.0));
        let mut marker = Marker::from_positions(label, (0..3).map(at));
        marker.set_residual_step_m(1e-4);
        marker.set_quality(0, 3, 5);
        trial.markers.push(marker);
    }
    let mut body = Body::new("tool");
    for frame in 0..3 {
        let pose = pose_from_wxyz([0.1, 0.2, 0.3], [0.6, 0.8, 0.0, 0.0]);
        body.push(pose.filter(|_| frame != 2));
    }
    trial.bodies.push(body);
    trial.channels.push(Channel::from_values("Fz", "N", 100.0, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let mut event = Event::new("Foot Strike", 0.02);
    event.context = "Left".into();
    event.subject = "JOE".into();
    trial.events.push(event);
    trial
}

/// A tiny Acclaim skeleton, for motions that need one.
pub const ASF: &str = include_str!("skeleton.asf");
const POSES: &str =
    "1 0 0 0.5\n0 1 0 -2\n0 0 1 3\n0 0 0 1\n\n0 -1 0 1\n1 0 0 2\n0 0 1 3\n0 0 0 1\n";
const BVH: &str = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition \
Zrotation Xrotation Yrotation\n JOINT Knee\n {\n  OFFSET 0 -40 0\n  CHANNELS 3 Zrotation Xrotation \
Yrotation\n  End Site\n  {\n   OFFSET 0 -40 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.0083333\n\
0 90 0 1 2 3 4 5 6\n0 91 0 1 2 3 4 5 6\n";
const AMC: &str = "#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\nthigh 1 2 3\nshin 9\n2\n\
root 1 2 3 4 5 6\nthigh 1 2 3\nshin 9\n";
const MVNX: &str = "<?xml version=\"1.0\"?><mvnx version=\"4\"><subject label=\"A\" frameRate=\"60\" \
segmentCount=\"2\"><segments><segment label=\"Pelvis\" id=\"1\"/><segment label=\"L5\" id=\"2\"/></segments>\
<frames segmentCount=\"2\"><frame time=\"0\" index=\"0\" type=\"normal\"><orientation>1 0 0 0 1 0 0 0\
</orientation><position>0 0 1 0 0 1.1</position></frame></frames></subject></mvnx>";
const STO: [&str; 3] = [
    "Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\tknee\tpelvis_tx\n0\t10\t0.5\n0.01\t11\t0.6\n",
    "DataRate=100\nDataType=Quaternion\nversion=3\nendheader\ntime\tpelvis\n0\t1,0,0,0\n0.01\t0.6,0.8,0,0\n",
    "DataType=Vec3\nversion=3\nendheader\ntime\tRASI\n0\t1,2,3\n0.01\tNaN,NaN,NaN\n",
];
const CSV: [&str; 5] = [
    "frame,time_s,A_x,A_y,A_z,T_x,T_y,T_z,T_qw,T_qx,T_qy,T_qz,EMG [V]\n1,0,1,2,3,1,2,3,1,0,0,0,5\n2,0.01,,,,1,2,3,1,0,0,0,6\n",
    "Format Version,1.23,Take Name,t,Capture Frame Rate,120,Export Frame Rate,120,Rotation Type,Quaternion,Length Units,Meters,Coordinate Space,Global\n\n,,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Marker,Marker,Marker\n,,B,B,B,B,B,B,B,M,M,M\n,,1,1,1,1,1,1,1,2,2,2\n,,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z,W,X,Y,Z,X,Y,Z\n0,0,0,0,0,1,1,2,3,4,5,6\n1,0.008,0,0,0,1,1,2,3,,,\n",
    "Trajectories\n100\n,,JOE:RASI,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n2,0,4,5,6\n",
    "comment,\"x\"\nrighthanded\ninfo,version,1.1\ninfo,framecount,1\nrigidbody,\"R\",1,1,0,0,0\nframe,0,0.0,1,1,1,2,3,0,0,0,1,0,0,0,1,1,2,3,2,R-Marker 1\n",
    "Frame number,2\nFirst frame,1\nPoint frequency,200\nAnalog frequency,200\n\nTime,RAsis,,\ns,mm,mm,mm\n,X,Y,Z\n0,1,2,3\n0.005,1,2,3\n",
];

const PLAN: [&str; 3] = [
    "version = 1\n[[performer]]\nprefix = \"JOE\"\n[[performer.segment]]\nname = \"pelvis\"\nmarkers = [\"LASI\", \"RASI\"]\n[[performer.segment]]\nname = \"thigh\"\nparent = \"pelvis\"\njoint = \"hip\"\nrule = \"hinge\"\nmarkers = [\"LKNE[2]\"]\n",
    "2 WANDS\nMARKERSET vicon512.txt\n\nJOE::LASI = LFWT Left waist\nJOE::LTHI = LTHI\n",
    "1 WANDS\n\nWAND LTHI\nSEGMENT Upper Left Leg\nLENGTH 0.0\nmid left\n",
];

const MESH: &str = "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTriangles 1\n1 2 3 0\n\
Tetrahedra 1\n1 2 3 4 0\nNormals 1\n0 0 1\nNormalAtVertices 1\n1 1\nColors 1 3\n1 0 0\nColorAtVertices 1\n2 1\nEnd\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement \
face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const ATM: &str = "FIGURE f\nSEGMENTS 2\nMESH 0 a.mesh\nMASS 2\nNAME A\nSCALE_XYZ 1 2 3\nROTATE_X 30\nCHILDREN 1 1\nENDMESH\n\
MESH 1 b.mesh\nPARENT 0\nJOINT j\n3 0 0 1\nDEGREES_OF_FREEDOM 1 1\nVALUE 0 3 1 0 0 FROM -90 TO 90\nVALUE 0 3 0 0 1 FROM 0 TO 1\n\
ENDMESH\nENDFIGURE\n";
const MOTION: &str = "MOTION f\nSEGMENT A\nDOF 1 FROM 0 TO 1 CENTRE 0.5 ORDER 1\n10 20\nDOF 2 FROM 0 TO 1 CENTRE 0 ORDER 0\n0.5\nENDMOTION\n";

/// One of every kind.
///
/// # Errors
/// A format cannot hold what is small.
pub fn files() -> Result<Vec<Small>> {
    let mut files = Vec::new();
    let mut add = |target, name: &str, bytes: &[u8]| {
        files.push(Small { target, name: name.to_owned(), bytes: bytes.to_vec() });
    };
    let trial = trial();
    for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
        for storage in [Storage::Float, Storage::Integer] {
            let mut bytes = Vec::new();
            let options = WriteOptions { processor, storage: Some(storage) };
            write_with(&trial, options, &mut bytes)?;
            add("c3d", &format!("{processor}_{storage:?}"), &bytes);
        }
    }
    for (target, format) in [("trc", Format::Trc), ("csv", Format::Csv), ("sto", Format::Sto)] {
        let mut bytes = Vec::new();
        format::write(&trial, format, &mut bytes)?;
        add(target, "written", &bytes);
    }
    let texts = [
        ("bvh", "knee", BVH),
        ("asf", "leg", ASF),
        ("amc", "leg", AMC),
        ("mvnx", "suit", MVNX),
        ("poses", "list", POSES),
        ("mesh", "small", MESH),
        ("ply", "small", PLY),
        ("atm", "small", ATM),
        ("figure_motion", "small", MOTION),
    ];
    texts.iter().for_each(|(target, name, text)| add(target, name, text.as_bytes()));
    let numbered: [(_, _, &[&str]); 3] =
        [("sto", "table", &STO), ("csv", "table", &CSV), ("plan", "plan", &PLAN)];
    for (target, name, texts) in numbered {
        for (number, text) in texts.iter().enumerate() {
            add(target, &format!("{name}{number}"), text.as_bytes());
        }
    }
    let (surface, _) = mesh::read(MESH.as_bytes())?;
    for storage in [mesh::Storage::LittleEndian, mesh::Storage::BigEndian] {
        let mut bytes = Vec::new();
        mesh::write(&surface, storage, &mut bytes)?;
        add("mesh", &format!("{storage:?}"), &bytes);
    }
    for name in Performer::BUILT_IN {
        add("performer", name, Performer::description(name).unwrap_or_default().as_bytes());
    }
    Ok(files)
}
