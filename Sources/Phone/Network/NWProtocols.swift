import Foundation
import Synchronization

/// A protocol's options.
open class NWProtocolOptions: @unchecked Sendable {  // Its subclasses guard what changes.
    init() {}
}

/// UDP.
public enum NWProtocolUDP {
    /// The options of UDP. A connection copies them when it is made.
    public final class Options: NWProtocolOptions, @unchecked Sendable {  // A lock guards the value.
        private let prefersNoChecksum = Mutex(false)

        public override init() {}

        /// Kept, and not used: the phone's board computes each checksum.
        public var preferNoChecksum: Bool {
            get { prefersNoChecksum.withLock { $0 } }
            set { prefersNoChecksum.withLock { $0 = newValue } }
        }
    }
}

/// TCP.
public enum NWProtocolTCP {
    /// The options of TCP. A connection copies them when it is made.
    public final class Options: NWProtocolOptions, @unchecked Sendable {  // A lock guards the values.
        struct Values: Sendable {
            var noDelay = true
            var connectionTimeout = 0
            var enableKeepalive = false
            var keepaliveIdle = 0
            var keepaliveInterval = 0
            var keepaliveCount = 0
        }

        let values = Mutex(Values())

        public override init() {}

        /// Always true in effect: the phone's board sends at once.
        public var noDelay: Bool {
            get { values.withLock { $0.noDelay } }
            set { values.withLock { $0.noDelay = newValue } }
        }

        /// How many seconds an attempt to connect may take before the connection waits with `ETIMEDOUT`; 0 is no limit.
        public var connectionTimeout: Int {
            get { values.withLock { $0.connectionTimeout } }
            set { values.withLock { $0.connectionTimeout = newValue } }
        }

        /// Kept, and not used: no connection of a scenario is idle for minutes.
        public var enableKeepalive: Bool {
            get { values.withLock { $0.enableKeepalive } }
            set { values.withLock { $0.enableKeepalive = newValue } }
        }

        /// In seconds; see ``enableKeepalive``.
        public var keepaliveIdle: Int {
            get { values.withLock { $0.keepaliveIdle } }
            set { values.withLock { $0.keepaliveIdle = newValue } }
        }

        /// In seconds; see ``enableKeepalive``.
        public var keepaliveInterval: Int {
            get { values.withLock { $0.keepaliveInterval } }
            set { values.withLock { $0.keepaliveInterval = newValue } }
        }

        /// How many times; see ``enableKeepalive``.
        public var keepaliveCount: Int {
            get { values.withLock { $0.keepaliveCount } }
            set { values.withLock { $0.keepaliveCount = newValue } }
        }
    }
}
