// The listings of the article "Exploring every moment", which ArticleTests compares.

import HIL

final class LatchApp: AppUnderTest {
    static var bundle: AppBundle { AppBundle(identifier: "com.example.latch", folder: "") }

    init() async throws {}

    @MainActor func setUpOrContinue() async throws {}
    @MainActor static func isLocked(_ lab: Lab) async -> Bool { true }
    @MainActor static func openDoor(_ lab: Lab) async throws {}
}

let latchIsOnboarded = Scenario(
    "A latch is found and paired",
    .explores(
        recovery: { lab in try await lab.phone.launch(LatchApp.self).setUpOrContinue() },
        holds: [
            .oneBondAtBothEnds,
            .secretNeverInTheClear("the home's passphrase") { lab in lab.homeNetwork.passphrase },
            .custom("the latch is locked") { lab in await LatchApp.isLocked(lab) },
        ],
        faults: [
            TeamFault("doorOpened", begin: { lab in try await LatchApp.openDoor(lab) })
        ])
) { lab in
    try await lab.phone.launch(LatchApp.self).setUpOrContinue()
}

let latchIsOnboardedLinkLostAtWriteFF032 = Scenario(
    "A latch is found and paired: linkLost at write(FF03)#2",
    exploring: latchIsOnboarded, faults: [.init("linkLost", at: "write(FF03)#2")],
    usual: "phoneBonds=1 accessoryBonds=1 accessories=1",
    left: "accessoryBonds=1")
