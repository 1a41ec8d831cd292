//! Methods by their names on the command line.

use condyle::centre::Method;

/// A method by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum MethodChoice {
    /// sc-gdk for one marker, mgdk for several.
    #[default]
    #[value(name = "auto")]
    Default,
    All,
    Gdke,
    Ugdk,
    #[value(name = "sc-gdk")]
    ScGdk,
    #[value(name = "sc-gdk-polished")]
    ScGdkPolished,
    Sgdk,
    #[value(name = "sgdk-printed")]
    SgdkPrinted,
    Taubin,
    Pratt,
    Hyper,
    Gander,
    Lls,
    Mle,
    Igdk,
    Mgdk,
}

impl std::fmt::Display for MethodChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

impl MethodChoice {
    /// The method for one marker, where the name alone says it.
    pub fn method(self) -> Option<Method> {
        Some(match self {
            Self::Gdke => Method::Gdke,
            Self::Default | Self::ScGdk | Self::Mgdk => Method::ScGdk,
            Self::ScGdkPolished => Method::ScGdkPolished,
            Self::Sgdk => Method::Sgdk,
            Self::SgdkPrinted => Method::SgdkPrinted,
            Self::Taubin => Method::Taubin,
            Self::Pratt => Method::Pratt,
            Self::Hyper => Method::Hyper,
            Self::Gander => Method::Gander,
            Self::Lls => Method::Lls,
            Self::Mle => Method::Mle,
            Self::Igdk => Method::Igdk,
            Self::All | Self::Ugdk => return None,
        })
    }
}
