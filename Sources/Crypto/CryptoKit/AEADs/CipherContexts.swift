import HILCOpenSSL
import Synchronization

/// The unused contexts of one key, kept because computing a key's schedule takes longer than sealing a short message.
final class CipherContexts: Sendable {
    /// `@unchecked Sendable`: a context has only one holder at a time.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// How many unused contexts of a kind are kept. Rarely are more in use at the same time.
    private static let limit = 4

    private struct Idle {
        var opening: [Context] = []
        var sealing: [Context] = []
        var openingChaChaPoly: [Context] = []
        var sealingChaChaPoly: [Context] = []

        subscript(algorithm: CipherContext.Algorithm, direction: CipherContext.Direction) -> [Context] {
            get {
                switch (algorithm, direction) {
                case (.aesGCM, .open): opening
                case (.aesGCM, .seal): sealing
                case (.chaChaPoly, .open): openingChaChaPoly
                case (.chaChaPoly, .seal): sealingChaChaPoly
                }
            }
            _modify {
                switch (algorithm, direction) {
                case (.aesGCM, .open): yield &opening
                case (.aesGCM, .seal): yield &sealing
                case (.chaChaPoly, .open): yield &openingChaChaPoly
                case (.chaChaPoly, .seal): yield &sealingChaChaPoly
                }
            }
        }
    }

    private let idle = Mutex(Idle())

    func take(_ algorithm: CipherContext.Algorithm, _ direction: CipherContext.Direction) -> OpaquePointer? {
        idle.withLock { $0[algorithm, direction].popLast()?.pointer }
    }

    func giveBack(
        _ pointer: OpaquePointer, _ algorithm: CipherContext.Algorithm, _ direction: CipherContext.Direction
    ) {
        let isKept = idle.withLock { idle in
            guard idle[algorithm, direction].count < CipherContexts.limit else { return false }
            idle[algorithm, direction].append(Context(pointer: pointer))
            return true
        }
        if !isKept { EVP_CIPHER_CTX_free(pointer) }
    }

    deinit {
        // OpenSSL wipes the schedules.
        idle.withLock {
            for context in $0.opening + $0.sealing + $0.openingChaChaPoly + $0.sealingChaChaPoly {
                EVP_CIPHER_CTX_free(context.pointer)
            }
        }
    }
}
