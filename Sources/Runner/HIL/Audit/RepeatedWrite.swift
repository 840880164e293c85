import HILBluetoothHost
import HILRecord
import HILTiming
import RadioModel

/// A write of an accessory's owner that a stranger without a key repeats.
@MainActor
struct RepeatedWrite {
    /// What came of it.
    enum Outcome {
        case refused
        /// It was obeyed, and what shows that, as a sentence.
        case obeyed(String)
        /// It was not refused, and nothing tells whether it was obeyed.
        case unseen
    }

    let scene: AuditScene
    let stranger: Stranger
    let device: DeviceAddress
    let map: AttributeMap
    let write: OwnersWrites.Write

    /// How long an accessory may take until an effect shows.
    private static let settling = Duration.milliseconds(300)
    /// The most values that are read after each write.
    private static let mostValues = 16

    /// Tries it.
    ///
    /// An accessory may answer every write alike, and do nothing. What counts is what it does with the owner's bytes and not with
    /// copies of them that have one other bit.
    ///
    /// - Throws: ``StackFailure`` if the link is lost.
    func run() async throws -> Outcome {
        if try await !send(write.value) { return .refused }
        let copies = write.copies
        guard let copy = copies.first else { return .unseen }
        if write.isLongEnoughForCode, write.form != .command {
            var isEachRefused = true
            for copy in copies where isEachRefused { isEachRefused = try await !send(copy) }
            if isEachRefused { return .obeyed("copies of it with one other bit are refused") }
        }
        let before = try await values()
        var rounds: [EffectsOfWrites.Round] = []
        for isRepeated in EffectsOfWrites.order {
            let mark = scene.told.mark
            _ = try await send(isRepeated ? write.value : copy)
            try await Task.sleep(for: Self.settling)
            rounds.append(
                EffectsOfWrites.Round(
                    isRepeated: isRepeated, lines: Set(scene.told.all(Self.line, since: mark)),
                    values: try await values()))
        }
        let evidence = EffectsOfWrites(before: before, rounds: rounds).evidence { handle in
            map.values.first { $0.handle == handle }?.name ?? HandleRange.text(handle)
        }
        return evidence.map { .obeyed("\($0) then, and does not after a copy with one other bit") } ?? .unseen
    }

    /// That a phone has written says nothing about what the accessory makes of it.
    private static let line = EventPattern<AccessoryNote, String>("a line of the accessory") {
        $0.kind == PeripheralEvent.accessKind ? nil : $0.text
    }

    /// Writes as the owner's phone did.
    ///
    /// - Returns: False if it is refused. A Write Command has no answer.
    private func send(_ value: [UInt8]) async throws -> Bool {
        switch write.form {
        case .command:
            try await stranger.command(value, to: write.handle, of: device)
            return true
        case .request:
            let request = ATTPDU.writeRequest(handle: write.handle, value: value)
            if case .writeResponse = try await stranger.request(request, of: device) { return true }
            return false
        case .long: return try await sendInPieces(value)
        }
    }

    /// The most bytes of a piece: the smallest MTU without code, handle and offset.
    private static let mostOfPiece = 18

    private func sendInPieces(_ value: [UInt8]) async throws -> Bool {
        var isEachTaken = true
        for start in stride(from: 0, to: value.count, by: Self.mostOfPiece) where isEachTaken {
            let bytes = Array(value[start..<min(start + Self.mostOfPiece, value.count)])
            let piece = ATTPDU.prepareWriteRequest(AttributeWrite(write.handle, offset: UInt16(start), bytes))
            if case .prepareWriteResponse = try await stranger.request(piece, of: device) { continue }
            isEachTaken = false
        }
        // Without it the pieces that were taken would be a part of what the next one writes.
        let end = try await stranger.request(.executeWriteRequest(commits: isEachTaken), of: device)
        if isEachTaken, case .executeWriteResponse = end { return true }
        return false
    }

    private func values() async throws -> [UInt16: [UInt8]] {
        var values: [UInt16: [UInt8]] = [:]
        for value in map.values.filter(\.isReadable).prefix(Self.mostValues) {
            if case .readResponse(let bytes) = try await stranger.request(
                .readRequest(handle: value.handle), of: device)
            {
                values[value.handle] = bytes
            }
        }
        return values
    }
}

extension OwnersWrites.Write {
    /// A code that proves who has written has so many bytes, or more.
    var isLongEnoughForCode: Bool { value.count >= 8 }

    /// Copies with one other bit each: in the last, the first and two further bytes. An empty value becomes one byte.
    var copies: [[UInt8]] {
        guard !value.isEmpty else { return [[0]] }
        let places = [value.count - 1, 0, value.count / 2, value.count / 4]
        return places.enumerated().filter { place in !places.prefix(place.offset).contains(place.element) }.map {
            place in
            var copy = value
            copy[place.element] ^= 1
            return copy
        }
    }
}
