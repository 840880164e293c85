import Foundation
import RigModel
import Synchronization
import Testing

@testable import VirtualRig

@Suite("The parts of a run's rigs")
struct RigStockTests {
    @Test("A deleted snapshot is taken again once, for all rigs that need it at the same time")
    func again() async throws {
        try await withTemporaryFolder { folder in
            let calls = Mutex(0)
            let snapshot = Snapshot(folder: "\(folder)/snapshot")
            try FileManager.default.createDirectory(atPath: snapshot.folder, withIntermediateDirectories: false)
            let stock = RigPartsProvider(.sample(snapshot: snapshot)) {
                calls.withLock { $0 += 1 }
                try FileManager.default.createDirectory(atPath: snapshot.folder, withIntermediateDirectories: false)
                return .sample(snapshot: snapshot)
            }
            #expect(await stock.take().note == nil)
            #expect(calls.withLock { $0 } == 0, "it is there")
            try FileManager.default.removeItem(atPath: snapshot.folder)
            async let first = stock.take()
            async let second = stock.take()
            let notes = await [first.note, second.note].compactMap { $0 }
            #expect(notes == ["the boards' snapshot was lost and has been taken again"])
            try FileManager.default.removeItem(atPath: snapshot.folder)
            _ = await stock.take()
            #expect(calls.withLock { $0 } == 1, "not for every scenario")
        }
    }

    @Test("If it cannot be taken again, the rigs get the old parts, and one note says why")
    func failing() async {
        let stock = RigPartsProvider(.sample(snapshot: Snapshot(folder: "/nowhere"))) {
            throw RigFailure("taking the boards' snapshot", "no space")
        }
        let taken = await stock.take()
        #expect(taken.parts == .sample(snapshot: Snapshot(folder: "/nowhere")))
        #expect(taken.note?.hasSuffix("taking the boards' snapshot: no space") == true)
        #expect(await stock.take().note == nil)
    }
}
