//! Every quirk of real C3D files, each on a tiny file made to have it: what is read, what is noted.
mod analog;
mod axes;
mod broken;
mod counts;
mod events;
mod file;
mod labels;
mod long;
mod parameters;
mod rotations;
mod samples;
mod units;
