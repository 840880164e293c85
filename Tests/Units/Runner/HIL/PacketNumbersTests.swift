import RadioModel
import Testing

@testable import HIL

@Suite("Packet numbers after a repeated handshake message")
struct PacketNumbersTests {
    private static let router: [UInt8] = [2, 0, 0, 0, 3, 0]
    private static let lamp: [UInt8] = [2, 0, 0, 0, 2, 0]

    /// A message of the router to the lamp, after a radiotap header without fields.
    private static func message(_ number: Int, nonce: UInt8 = 1, counter: UInt8) -> [UInt8] {
        let information: [UInt8] = number == 1 ? [0x00, 0x8A] : [0x13, 0xCA]
        var key: [UInt8] = [2] + information + [0, 16] + [0, 0, 0, 0, 0, 0, 0, counter]
        key += [UInt8](repeating: nonce, count: 32) + [UInt8](repeating: 0, count: 48) + [0, 0]
        return [0, 0, 8, 0, 0, 0, 0, 0, 0x08, 0x02, 0, 0] + lamp + router + router + [0, 0]
            + [0xAA, 0xAA, 3, 0, 0, 0, 0x88, 0x8E, 2, 3, 0, UInt8(key.count)] + key
    }

    /// An encrypted frame of the lamp.
    private static func frame(_ number: UInt8, _ content: UInt8, sequence: UInt8 = 0, flags: UInt8 = 0x41) -> [UInt8] {
        [0, 0, 8, 0, 0, 0, 0, 0, 0x88, flags, 0, 0] + router + lamp + router + [sequence, 0, 0, 0]
            + [number, 0, 0, 0x20, 0, 0, 0, 0] + [UInt8](repeating: content, count: 12)
    }

    private static func numbers(_ packets: [[UInt8]]) throws -> PacketNumbers {
        PacketNumbers(
            in: pcapng([("air-wifi", packets)]), of: try #require(DeviceAddress("02:00:00:00:02:00")))
    }

    @Test("A number that encrypts two frames is found, and one that counts on is not")
    func reuse() throws {
        let begin = [Self.message(1, counter: 1), Self.message(3, counter: 2), Self.frame(1, 7), Self.frame(2, 8)]
        let again = Self.message(3, counter: 3)
        let sound = try Self.numbers(begin + [again, Self.frame(3, 9)])
        #expect(sound.reused == nil && sound.thirdMessages == 2 && sound.framesAfterRepetition == 1)
        let next = [Self.message(1, nonce: 2, counter: 4), Self.message(3, nonce: 2, counter: 5), Self.frame(1, 9)]
        let later = try Self.numbers(begin + [again, Self.frame(3, 9)] + next)
        #expect(later.framesAfterRepetition == 1 && later.thirdMessages == 2, "the handshake after it does not hide it")
        let weak = try Self.numbers(begin + [again, Self.frame(1, 9)])
        #expect(weak.reused == 1)
    }

    @Test("A frame that the radio sends again, and a new key, are no reuse")
    func innocent() throws {
        let begin = [Self.message(1, counter: 1), Self.message(3, counter: 2), Self.frame(1, 7)]
        #expect(try Self.numbers(begin + [Self.frame(1, 7, flags: 0x49)]).reused == nil, "a repetition by the radio")
        let renewed = begin + [Self.message(1, nonce: 2, counter: 3), Self.message(3, nonce: 2, counter: 4)]
        let numbers = try Self.numbers(renewed + [Self.frame(1, 9)])
        #expect(numbers.reused == nil, "another key")
        #expect(try Self.numbers([Self.frame(1, 7), Self.frame(1, 8)]).reused == nil, "of before the handshake")
    }

    @Test("A message that comes twice with one counter was sent once")
    func repeatedByRadio() throws {
        let numbers = try Self.numbers([
            Self.message(1, counter: 1), Self.message(3, counter: 2), Self.message(3, counter: 2), Self.frame(1, 7),
        ])
        #expect(numbers.thirdMessages == 1 && numbers.framesAfterRepetition == 0)
    }

    @Test("Frames that are cut anywhere are read without a trap")
    func cut() throws {
        for whole in [Self.frame(1, 7), Self.message(3, counter: 2)] {
            for count in whole.indices {
                _ = try Self.numbers([Self.message(1, counter: 1), Array(whole.prefix(count))])
            }
        }
    }
}
