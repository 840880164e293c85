import Foundation
import HILPOSIX
import Testing

@testable import HILBlueZ

@Suite struct NotifySocketTests {
    @Test("Each value is one packet; without a reader, the value must be sent by the bus")
    func packets() throws {
        let socket = NotifySocket()
        #expect(!socket.send(Data([1])), "bluetoothd has not asked for a socket")
        let end = try socket.open()
        #expect(!socket.send(Data()), "an empty packet would look like the end")
        for value: [UInt8] in [[1, 2, 3], [4]] { #expect(socket.send(Data(value))) }
        #expect(try end.read() == [1, 2, 3])
        #expect(try end.read() == [4])
        end.close()
        #expect(!socket.send(Data([5])))
        let other = try socket.open()
        #expect(socket.send(Data([6])))
        #expect(try other.read() == [6])
    }

    @Test("Values that were sent through an earlier socket can still be read there")
    func replaced() throws {
        let socket = NotifySocket()
        let old = try socket.open()
        #expect(socket.send(Data([1])))
        _ = try socket.open()
        #expect(try old.read() == [1])
        #expect(try old.read() == [], "it has ended")
    }
}
