import Foundation
import HILAudit
import HILPOSIX
import HILRecord
import HILTiming

/// Finds the shortest list of packets that breaches a control, by trials of its check on fresh boards.
package struct PacketMinimiser: Sendable {
    /// The file that a check leaves with the packets that it sent, in its folder.
    static let sent = "packets.txt"
    /// The file for the shortest list.
    static let shortest = "shortest.txt"
    /// How long it may take.
    private static let limit = Duration.seconds(120)

    /// The check's folder.
    let folder: String
    /// Makes a trial in a folder, and says whether it was a breach; nil if it was interrupted.
    let trial: @Sendable (AttackOrder, String) async -> Bool?

    /// The shortest list that was found for a case, if there is one.
    package static func found(in folder: String) -> [AttackPacket]? {
        FileManager.default.contents(atPath: "\(folder)/\(shortest)")
            .flatMap { PacketList(String(decoding: $0, as: UTF8.self)) }?.packets
    }

    /// The shortest list that was found in time.
    ///
    /// - Returns: Nil if the check left no packets, or if they did not do it again.
    func run() async -> [AttackPacket]? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(PacketMinimiser.sent)"),
            let list = PacketList(String(decoding: data, as: UTF8.self)), !list.suspected.isEmpty
        else { return nil }
        defer { try? FileManager.default.removeItem(atPath: "\(folder)/trials") }
        let end = ContinuousClock.now + PacketMinimiser.limit
        guard let first = await confirmed(list) else { return nil }
        var search = ShortestList(first)
        var number = 2
        while let candidate = search.candidate, ContinuousClock.now < end {
            guard let doesIt = await isBreach(candidate, number) else { break }
            search.take(doesIt: doesIt)
            number += 1
        }
        let found = PacketList(search.elements, suspects: search.elements.count)
        try? replaceFile("\(folder)/\(PacketMinimiser.shortest)", with: found.text.utf8)
        return search.elements
    }

    /// The suspected packets, or else all that were sent, if they do it again.
    private func confirmed(_ list: PacketList) async -> [AttackPacket]? {
        if await isBreach(Array(list.suspected), 0) == true { return Array(list.suspected) }
        guard list.suspects < list.packets.count, await isBreach(list.packets, 1) == true else { return nil }
        return list.packets
    }

    private func isBreach(_ packets: [AttackPacket], _ number: Int) async -> Bool? {
        var order = AttackOrder()
        order.packets = packets.map(\.text)
        let place = "\(folder)/trials/\(number)"
        guard (try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)) != nil
        else { return nil }
        let result = await trial(order, place)
        try? FileManager.default.removeItem(atPath: place)
        return result
    }
}

extension Judgement {
    /// The judgement with the shortest list of packets in the message of its cause.
    func naming(_ packets: [AttackPacket]?) -> Judgement {
        guard let place = failures.firstIndex(where: { $0.kind == .product }) else { return self }
        var copy = self
        guard let packets else {
            copy.failures[place].message += "\nthe same packets did not do it again on fresh boards"
            return copy
        }
        let lines = packets.prefix(20).map { "\n  \($0)" }.joined()
        let left = packets.count > 20 ? "\n  and \(packets.count - 20) more" : ""
        let count = packets.count == 1 ? "one packet does it" : "these \(packets.count) packets do it"
        copy.failures[place].message += "\n\(count):\(lines)\(left)"
        return copy
    }
}
