import HIL
import HILCommand
import WeakAccessories

extension Room {
    /// One of each sort, as the plugin `ScenarioList` would list them.
    private static let targets: [NamedAccessory] = {
        var list = AccessoryList(in: "Fixtures/WeakAccessories")
        list.add(Peripheral.openLamp, "openLamp", of: "Peripheral", file: "Targets.swift", line: 7)
        list.add(Peripheral.silentLock, "silentLock", of: "Peripheral", file: "Targets.swift", line: 10)
        list.add(HostStack.legacyLamp, "legacyLamp", of: "HostStack", file: "Targets.swift", line: 12)
        list.add(AccessoryProgram.lock, "lock", of: "AccessoryProgram", file: "Targets.swift", line: 17)
        list.add(AuditExpectations.legacyLamp, "legacyLamp", of: "AuditExpectations", file: "Targets.swift", line: 24)
        list.add(AuditExpectations.openLamp, "openLamp", of: "AuditExpectations", file: "Targets.swift", line: 32)
        list.add(AuditExpectations.silentLock, "silentLock", of: "AuditExpectations", file: "Targets.swift", line: 41)
        list.add(AuditExpectations.lock, "lock", of: "AuditExpectations", file: "Targets.swift", line: 33)
        return list.accessories
    }()

    /// Accessories with a weakness each, and their hardened twins: what `hil audit` has to find.
    static let weakAccessories = Room("weak-accessories", accessories: { targets }) {
        [
            NamedScenario("openBrightness", file: "Access.swift", openBrightness),
            NamedScenario("acceptedBrightness", file: "Access.swift", acceptedBrightness),
            NamedScenario("publishedKey", file: "Phone.swift", publishedKey),
            NamedScenario("lampAmongOthers", file: "Crowd.swift", lampAmongOthers),
            NamedScenario("followedLamp", file: "Board.swift", followedLamp),
            NamedScenario("numberedLamp", file: "Board.swift", numberedLamp),
            NamedScenario("needlessKeys", file: "Board.swift", needlessKeys),
            NamedScenario("silentPairing", file: "Pairing.swift", silentPairing),
            NamedScenario("legacyPairing", file: "Keys.swift", legacyPairing),
            NamedScenario("shortKeys", file: "Keys.swift", shortKeys),
            NamedScenario("oneKeyPair", file: "Keys.swift", oneKeyPair),
            NamedScenario("debugKey", file: "Keys.swift", debugKey),
            NamedScenario("anyPoint", file: "Keys.swift", anyPoint),
            NamedScenario("noPerson", file: "Keys.swift", noPerson),
            NamedScenario("fixedPasskey", file: "Keys.swift", fixedPasskey),
            NamedScenario("shortPasskey", file: "Keys.swift", shortPasskey),
            NamedScenario("countedPasskey", file: "Keys.swift", countedPasskey),
            NamedScenario("toldPasskey", file: "Keys.swift", toldPasskey),
            NamedScenario("countedRandom", file: "Keys.swift", countedRandom),
            NamedScenario("stolenBond", file: "Keys.swift", stolenBond),
            NamedScenario("oneBond", file: "Keys.swift", oneBond),
            NamedScenario("addressIsKey", file: "Keys.swift", addressIsKey),
            NamedScenario("serialName", file: "Keys.swift", serialName),
            NamedScenario("publicAddress", file: "Keys.swift", publicAddress),
            NamedScenario("hiddenAttribute", file: "Keys.swift", hiddenAttribute),
            NamedScenario("repeatedCommands", file: "Keys.swift", repeatedCommands),
            NamedScenario("repeatedSilentCommands", file: "Keys.swift", repeatedSilentCommands),
            NamedScenario("keptValue", file: "Keys.swift", keptValue),
            NamedScenario("keptBonds", file: "Keys.swift", keptBonds),
            NamedScenario("longValue", file: "Robustness.swift", longValue),
            NamedScenario("emptyValue", file: "Robustness.swift", emptyValue),
            NamedScenario("preparedQueue", file: "Robustness.swift", preparedQueue),
            NamedScenario("zeroCredits", file: "Robustness.swift", zeroCredits),
            NamedScenario("shortKey", file: "Robustness.swift", shortKey),
            NamedScenario("silentAfterStranger", file: "Robustness.swift", silentAfterStranger),
            NamedScenario("oneLink", file: "Robustness.swift", oneLink),
            NamedScenario("pastTheEnd", file: "Robustness.swift", pastTheEnd),
            NamedScenario("longValueIsMended", file: "Kept.swift", longValueIsMended),
            NamedScenario(
                "longValueAccessoryWeakRobustnessAttributes", file: "Kept.swift",
                longValueAccessoryWeakRobustnessAttributes),
            NamedScenario("openNetwork", file: "OwnNetwork.swift", openNetwork),
            NamedScenario("oldCipher", file: "OwnNetwork.swift", oldCipher),
            NamedScenario("unprotectedFrames", file: "OwnNetwork.swift", unprotectedFrames),
            NamedScenario("setupButton", file: "OwnNetwork.swift", setupButton),
            NamedScenario("derivedPassphrase", file: "OwnNetwork.swift", derivedPassphrase),
            NamedScenario("printedPassphrase", file: "OwnNetwork.swift", printedPassphrase),
            NamedScenario("defaultPassphrase", file: "OwnNetwork.swift", defaultPassphrase),
            NamedScenario("guestsMeet", file: "OwnNetwork.swift", guestsMeet),
            NamedScenario("plainCredentials", file: "Home.swift", plainCredentials),
            NamedScenario("developersPort", file: "Home.swift", developersPort),
            NamedScenario("longPath", file: "Home.swift", longPath),
            NamedScenario("oldTLS", file: "Home.swift", oldTLS),
            NamedScenario("anyServer", file: "Home.swift", anyServer),
        ]
    }
}
