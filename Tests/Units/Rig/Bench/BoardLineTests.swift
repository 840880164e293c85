import BoardProtocol
import Foundation
import HILPOSIX
import RigModel
import Testing

@testable import HILBench

@Suite("The line to a board")
struct BoardLineTests {
    /// Speaks like a keeper: a heartbeat is answered at once, and the look as soon as one has come.
    private static let keeper = """
        import json, os, struct, sys, zlib
        clock, facts = sys.argv[1:]
        beats, looks = 0, []
        def take(count):
            data = b""
            while len(data) < count:
                piece = os.read(0, count - len(data))
                if not piece: sys.exit(0)
                data += piece
            return data
        def answer(reply, number):
            payload = reply.replace("4242", str(number)).encode()
            head = struct.pack("<BBI", 1, 2, len(payload))
            os.write(1, b"HI" + head + struct.pack("<I", zlib.crc32(head + payload)) + payload)
        while True:
            head = take(12)
            request = json.loads(take(struct.unpack("<I", head[4:8])[0]))
            if "beat" in json.dumps(request["order"]):
                beats += 1
                answer(clock, request["id"])
            else:
                looks.append(request["id"])
            if beats and looks: answer(facts, looks.pop())
        """

    private func text(_ outcome: Result<Answer, KeeperFailure>) -> String {
        String(decoding: Answerer<KeeperCall>.answer(4242, outcome), as: UTF8.self)
    }

    @Test("A board that looks at itself for long gets heartbeats meanwhile, so that it is not given back")
    func slowLook() async throws {
        let words = [
            "python3", "-c", Self.keeper, text(.success(Reply<UInt64>()(7))),
            text(.failure(KeeperFailure("it was looked at after a heartbeat", remedy: nil))),
        ]
        let line = try BoardLine(to: .ssh("slow"), by: words)
        let failure = await #expect(throws: RigFailure.self) { _ = try await line.open(within: .seconds(20)) }
        #expect(failure?.reason == "it was looked at after a heartbeat")
        #expect(line.clock.bound != nil)
        await line.close()
    }
}
