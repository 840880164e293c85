import CryptoKit
import Foundation
import Glibc

/// Does one operation on secrets that valgrind takes for undefined, so that it reports every jump and every address
/// that depends on them: `valgrind --malloc-fill=0 hil-secret-flow CASE`.
///
///     encapsulation   our ML-KEM, in both sizes, encapsulates an undefined message
///     decapsulation   our ML-KEM, in both sizes, opens an undefined ciphertext that is valid
///     rejection       our ML-KEM, in both sizes, opens an undefined ciphertext that is not valid
///     control         a conditional jump on an undefined byte, which must be reported
@main
enum Main {
    static func main() throws {
        let key = try MLKEM768.PrivateKey(by: .own)
        let large = try MLKEM1024.PrivateKey(by: .own)
        switch CommandLine.arguments.dropFirst().first {
        case "encapsulation":
            let message = Data((0..<32).map { _ in .random(in: 0...255) })
            _ = try key.publicKey.encapsulate(message: undefined(message))
            _ = try large.publicKey.encapsulate(message: undefined(message))
        case "decapsulation":
            _ = try key.decapsulate(undefined(key.publicKey.encapsulate().encapsulated))
            _ = try large.decapsulate(undefined(large.publicKey.encapsulate().encapsulated))
        case "rejection":
            _ = try key.decapsulate(undefined(Data(count: 1088)))
            _ = try large.decapsulate(undefined(Data(count: 1568)))
        case "control":
            let secret = undefined(Data([1]))
            if secret[0] & 1 == 1 { print("odd") } else { print("even") }
        default:
            print("usage: hil-secret-flow encapsulation|decapsulation|rejection|control")
            exit(64)
        }
    }

    /// A copy of the bytes that valgrind takes for undefined. It is a true copy if valgrind fills new memory with
    /// zeros.
    private static func undefined(_ bytes: Data) -> Data {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        // Changes nothing, because there is no such file. But the compiler must assume that the memory is written.
        _ = read(-1, memory.baseAddress, memory.count)
        var copy = bytes
        for index in copy.indices { copy[index] ^= memory[index] }
        return copy
    }
}
