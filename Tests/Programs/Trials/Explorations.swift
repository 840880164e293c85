import Explorations
import HIL
import HILCommand

extension Room {
    /// Journeys, each with a fault of the app or the accessory and without: what `hil explore` has to find.
    static let explorations = Room("explorations") {
        [
            NamedScenario("countedTwice", file: "CountedTwice.swift", countedTwice),
            NamedScenario("cutOffWrite", file: "CutOffWrite.swift", cutOffWrite),
            NamedScenario("halfCredentials", file: "HalfCredentials.swift", halfCredentials),
            NamedScenario("leftNetwork", file: "LeftNetwork.swift", leftNetwork),
            NamedScenario("lostAnswer", file: "LostAnswer.swift", lostAnswer),
            NamedScenario("lostCallback", file: "LostCallback.swift", lostCallback),
            NamedScenario("lostCallbackIsMended", file: "Kept.swift", lostCallbackIsMended),
            NamedScenario("lostCallbackLinkLostAtNotifyFF02", file: "Kept.swift", lostCallbackLinkLostAtNotifyFF02),
            NamedScenario("oneSidedBond", file: "OneSidedBond.swift", oneSidedBond),
            NamedScenario("savedTooEarly", file: "SavedTooEarly.swift", savedTooEarly),
            NamedScenario("silentAfterLoss", file: "SilentAfterLoss.swift", silentAfterLoss),
            NamedScenario("staleStep", file: "StaleStep.swift", staleStep),
            NamedScenario("tidySuspension", file: "TidySuspension.swift", tidySuspension),
        ]
    }
}
