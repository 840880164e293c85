import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILTiming
import RadioModel
import RigModel

/// An accessory for tests of the harness, without a program: a lamp. The stub agent answers for it.
package struct LampConfiguration: Sendable {
    /// A lamp with this name.
    package static func lamp(named name: String) -> LampConfiguration { LampConfiguration(name: name) }

    package var name: String
}

/// An action of a person with a lamp.
package enum LampCall: Sendable, Hashable, Codable {
    case powerOn(name: String, Reply<DeviceAddress>)
    case dim(to: Int, Reply<Done>)
}

package enum LampEvent: Sendable, Hashable, Codable {
    case shines(Int)
    /// An event without a line in the story.
    case hums
    case connected(DeviceAddress)

    /// The event as the agent sends it.
    package func told(on adapter: AdapterID = .first) -> BoardEvent {
        .accessory((try? JSONEncoder().encode(self)) ?? Data(), of: "lamp", on: adapter)
    }
}

extension EventPattern where Event == LampEvent, Value == Int {
    /// The lamp's brightness in percent.
    package static var shines: Self {
        Self("the lamp to shine") { if case .shines(let percent) = $0 { percent } else { nil } }
    }
}

/// A lamp that is switched on.
package final class Lamp: Sendable {
    package let link: AccessoryLink<LampCall, LampEvent>
    package let address: DeviceAddress

    init(_ link: AccessoryLink<LampCall, LampEvent>, at address: DeviceAddress) {
        self.link = link
        self.address = address
    }

    package func dim(
        to percent: Int, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(fileID: fileID, filePath: filePath, line: line) { .dim(to: percent, $0) }
    }
}

extension AccessoryBoard {
    /// Switches a lamp on.
    @discardableResult
    package func powerOn(
        _ lamp: LampConfiguration, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Lamp {
        let link: AccessoryLink<LampCall, LampEvent> = try await link(
            named: "lamp", adapter: adapter,
            story: { event in
                switch event {
                case .hums: nil
                case .connected(let phone): AccessoryLine("\(event)", kind: "connected", link: phone)
                case .shines: AccessoryLine("\(event)")
                }
            }, fileID: fileID, filePath: filePath, line: line)
        let address = try await link.ask(fileID: fileID, filePath: filePath, line: line) {
            .powerOn(name: lamp.name, $0)
        }
        link.isOnAir(at: address, as: lamp.name)
        return Lamp(link, at: address)
    }
}
