import COpenSSL
import FoundationEssentials
import Glibc

extension Data {
    /// Bytes that `fill` writes, all of them.
    ///
    /// In a third of the time that `Data(count:)` and a change in place take, for a short message. What `fill` wrote before
    /// it threw is wiped.
    init(byteCount: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        guard byteCount > 0 else {
            try fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            self.init()
            return
        }
        guard let memory = malloc(byteCount) else { preconditionFailure("no memory for \(byteCount) bytes") }
        do { try fill(UnsafeMutableRawBufferPointer(start: memory, count: byteCount)) } catch {
            OPENSSL_cleanse(memory, byteCount)
            free(memory)
            throw error
        }
        self.init(bytesNoCopy: memory, count: byteCount, deallocator: .free)
    }
}
