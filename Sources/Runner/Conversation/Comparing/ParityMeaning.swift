/// What a difference between two phones can mean for firmware, in one sentence.
enum ParityMeaning {
    static func ofValue(_ procedure: Procedure, _ value: String) -> String {
        if value.hasPrefix("accessory's ") { return "the accessory answered otherwise: this difference is its own" }
        if value == "phone's address" {
            return "firmware that knows phones by their address, and not by their keys, fails"
        }
        return ofWiFiValue(procedure, value) ?? ofKind(procedure, value)
    }

    private static func ofKind(_ procedure: Procedure, _ value: String) -> String {
        switch procedure.kind {
        case .mtu: "firmware that sends longer values than the smaller MTU allows is cut or refused"
        case .connection, .connectionParameters:
            "power use, throughput and the time until a lost link is noticed differ; firmware may see time-outs that the other phone does not cause"
        case .dataLength: "long packets come in one piece or in several; buffers of the firmware must hold either"
        case .phy: "the link may change its PHY at another moment, or never; latency and range differ"
        case .pairing where value.contains("keys"):
            "other keys are exchanged: a bond may not work on the next link, or for classic Bluetooth"
        case .pairing where value == "result": "one of them did not pair: compare what both said before"
        case .pairing: "the pairing method may differ: firmware may have to show, compare or enter a number"
        case .securityRequest:
            "one of them pairs or encrypts when it is asked to, the other goes on without: firmware must not wait for it"
        case .encryption: "encryption began otherwise, or failed: look at what came before"
        case .greeting: "firmware must ignore frames on channels that it does not know"
        case .characteristics, .serviceDiscovery, .serviceSearch, .descriptors, .inclusions:
            "firmware must answer both forms of discovery"
        case .read, .typedRead:
            "the accessory answered otherwise: a read refused in one of them needs another protection"
        case .subscription: "firmware must send its updates as the phone asked for them"
        case .write: "firmware must accept both forms and lengths"
        case .end: "firmware that acts on the reason of the end acts differently"
        case .scan: "an advertisement may be heard later, or its scan response never"
        case .advertisement: "the accessory advertised otherwise: this difference is its own"
        default: "firmware that relies on this value works with one of them only"
        }
    }

    static func ofOrder(_ procedure: Procedure) -> String {
        switch procedure.kind {
        case .encryption, .pairing, .securityRequest:
            "firmware that expects a protected link at once, or never, meets a request before or after it"
        case .mtu: "firmware may have to send or receive before the longer MTU is agreed"
        case .subscription: "the first updates may be sent before, or lost"
        default: "firmware whose state follows the order of requests may be in another state"
        }
    }

    static func ofMissing(_ procedure: Procedure) -> String {
        if let text = ofWiFiMissing(procedure.kind, isMore: false) { return text }
        return switch procedure.kind {
        case .subscription: "the second never asks for these updates: firmware that waits for it waits for ever"
        case .mtu: "the second stays at 23 bytes unless the accessory asks: long values need Read Blob or Prepare Write"
        case .pairing, .encryption: "the second never protects the link: protected attributes stay refused"
        case .write, .read: "the second never does this: firmware that needs it is not tested by the second"
        case .greeting: "the second does not test that firmware ignores unknown channels"
        case .end: "the second leaves the link up, or the capture ends before"
        case .update: "the accessory did not send it to the second: it may not have been asked to"
        default: "firmware meets this with the first only, and the second does not test it"
        }
    }

    static func ofMore(_ procedure: Procedure) -> String {
        if let text = ofWiFiMissing(procedure.kind, isMore: true) { return text }
        return switch procedure.kind {
        case .greeting: "firmware must ignore frames on channels that it does not know"
        case .pairing, .encryption: "the second protects the link: firmware must keep its keys"
        case .subscription: "firmware gets a subscription that the first never writes"
        case .typedRead, .read: "firmware must answer a read that the first never sends"
        default: "firmware meets this with the second only"
        }
    }

    static func ofDelay(isSlower: Bool) -> String {
        isSlower
            ? "time-outs of the firmware that are met by the first may be missed by the second"
            : "firmware has less time than with the first: what it prepares may not be ready"
    }
}
