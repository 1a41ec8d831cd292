//! Is this a body? A check of units against the size of things people record.
