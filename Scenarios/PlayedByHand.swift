import HIL

// The scenarios are as `hil play --record` wrote them, except for their titles.

let onboardedByHand = Scenario(
    "A new die is found, picked, paired, joined and notified, played by hand", .tags("played"),
    playing: newDieIsOnboarded
) { person in
    try await person.does(.pick("Die 7"), on: .picker)
    try await person.does(.confirmPasskey, on: .passkey)
    try await person.does(.done, on: .setupComplete)
    try await person.does(.allow, on: .joinNetwork)
    try await person.does(.allowForwarding(.all), on: .forwarding)
    try await person.seesTheEnd()
}

let eveningByHand = Scenario(
    "A die is set up and notified by hand, and Bluetooth switched off", .tags("played"), playing: dieInYourHand
) { person in
    try await person.presses("Add Die")
    try await person.does(.pick("Die 7"), on: .picker)
    try await person.does(.confirmPasskey, on: .passkey)
    try await person.does(.done, on: .setupComplete)
    try await person.finishes("Add Die")
    try await person.sees(nil)
    try await person.presses("Join Wi-Fi")
    try await person.does(.allow, on: .joinNetwork)
    try await person.finishes("Join Wi-Fi")
    try await person.sees(nil)
    try await person.presses("Forward Notifications")
    try await person.does(.allowForwarding(.all), on: .forwarding)
    try await person.finishes("Forward Notifications")
    try await person.sees(nil)
    try await person.gets(from: "com.example.chat", title: "Kim", body: "Dinner at 8?", isForwarded: true)
    try await person.opens(.switches)
    try await person.does(.switchBluetoothOff, on: .switches)
    try await person.does(.done, on: .switches)
}

let refusedByHand = Scenario(
    "A die's network is refused by hand, the die carried away, and renamed", .tags("played"), .needs(.distance),
    playing: dieInYourHand
) { person in
    try await person.presses("Add Die")
    try await person.does(.pick("Die 7"), on: .picker)
    try await person.does(.confirmPasskey, on: .passkey)
    try await person.does(.done, on: .setupComplete)
    try await person.finishes("Add Die")
    try await person.sees(nil)
    try await person.presses("Join Wi-Fi")
    try await person.does(.deny, on: .joinNetwork)
    try await person.finishes(
        "Join Wi-Fi",
        failing:
            "Error Domain=NEHotspotConfigurationErrorDomain Code=7 \"(null)\"UserInfo={NSLocalizedDescription=User denied.}"
    )
    try await person.sees(nil)
    try await person.movesAway()
    try await person.loses(.link)
    try await person.moves(to: 1.0)
    try await person.opens(.settings)
    try await person.does(.renameInSettings("Bluetooth Die", to: "My Die"), on: .settings)
    try await person.does(.done, on: .settings)
}
