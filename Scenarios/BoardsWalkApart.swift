import HIL
import Phone
import RadioModel
import Timing

/// A phone that is carried away hears its die ever weaker, then not at all, and again when it comes back.
let boardsWalkApart = Scenario(
    "A die is heard weaker on the way, not out of range, and again on return", .tags(.faults, .robustness, .discovery),
    .covers("D4"), .budget(.seconds(30))
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.phone.radio.startDiscovery()
    try await lab.step("near", within: .seconds(5)) { try await lab.phone.hearDie(from: 0) }

    let leaving = lab.phone.log.count
    try await lab.step("walk away", within: .seconds(5)) {
        // What was heard last may still be on its way to the phone when they are out of range.
        try await lab.air.move(along: [
            .at(20, after: .seconds(1)), .at(nil, after: .seconds(1)), .at(nil, after: .milliseconds(1500)),
        ])
    }
    let gone = lab.phone.log.count
    let onTheWay = lab.phone.signals(from: leaving)
    lab.expect(onTheWay.contains { $0 <= -60 }, "the die is heard weaker on the way: \(onTheWay)")

    try await lab.step("stay away", within: .seconds(5)) {
        try await lab.air.move(along: [.at(nil, after: .seconds(1))])
    }
    lab.expect(lab.phone.signals(from: gone).isEmpty, "nothing is heard out of range")

    let returning = lab.phone.log.count
    try await lab.air.setDistance(1)
    try await lab.step("near again", within: .seconds(5)) { try await lab.phone.hearDie(from: returning) }
    try await lab.phone.radio.stopDiscovery()
}

extension PhoneEvent.Kind {
    /// How strongly a die was heard, in dBm; nil for anything else.
    fileprivate var signal: Int? {
        if case .radio(.advertisement(let heard)) = self { heard.rssi } else { nil }
    }
}

extension Phone {
    /// How strongly the die was heard since, in dBm.
    fileprivate func signals(from place: Int) -> [Int] { log.events.dropFirst(place).compactMap(\.kind.signal) }

    /// Waits until the die is heard as strongly as from one metre.
    fileprivate func hearDie(from place: Int) async throws {
        _ = try await log.first(from: place, within: .seconds(5), waitingFor: "the die to be heard from near") {
            $0.kind.signal.map { $0 >= -45 } ?? false
        }
    }
}
