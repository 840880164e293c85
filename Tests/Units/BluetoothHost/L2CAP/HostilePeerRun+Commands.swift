import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// Commands with fields that are often at a limit, or often right.
extension HostilePeerRun {
    /// An answer that matches its request, with a random result.
    mutating func answer(to request: L2CAPRequest) -> SignalingCommand? {
        switch request {
        case .connection(let id) where link.transport == .classic:
            .connectionResponse(destination: cid(), source: id.cid, result: result(), status: 0)
        case .connection: .creditBasedConnectionResponse(destination: cid(), terms: terms(), result: result())
        case .enhancedConnection: .enhancedConnectionResponse(terms: terms(), result: result(), destinations: cids())
        case .configuration(let id):
            .configurationResponse(
                source: id.cid, isContinued: false, result: ConfigurationResult(rawValue: result()),
                options: options())
        case .disconnection(let id):
            .disconnectionResponse(destination: link.channel(id)?.remoteCID ?? 0, source: id.cid)
        case .parameters, .information: nil
        }
    }

    /// A channel that often exists.
    mutating func cid() -> UInt16 { UInt16.random(in: 0x3F...0x47, using: &numbers) }

    /// A number that is often at a limit.
    private mutating func number() -> UInt16 {
        let limits: [UInt16] = [0, 1, 2, 3, 4, 22, 23, 48, 64, 100, 0x25, 0x27, 65533, 65534, 65535]
        return limits.randomElement(using: &numbers) ?? 0
    }

    private mutating func terms() -> CreditBasedTerms {
        guard Int.random(in: 0..<4, using: &numbers) == 0 else { return CreditBasedTerms(mtu: 70, mps: 64, credits: 2) }
        return CreditBasedTerms(mtu: number(), mps: number(), credits: number())
    }

    /// Success in half of the cases.
    private mutating func result() -> UInt16 { Bool.random(using: &numbers) ? 0 : number() & 0x0F }

    private mutating func psm() -> UInt16 { Bool.random(using: &numbers) ? 0x25 : number() }

    private mutating func cids() -> [UInt16] { (0..<Int.random(in: 0...5, using: &numbers)).map { _ in cid() } }

    private mutating func options() -> [ConfigurationOption] {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: [.mtu(number())]
        case 1: [.basicMode, .mtu(100)]
        case 2:
            [
                ConfigurationOption(
                    type: UInt8.random(in: 0...9, using: &numbers), isHint: Bool.random(using: &numbers),
                    value: bytes(0...20))
            ]
        default: []
        }
    }

    mutating func command() -> SignalingCommand {
        switch Int.random(in: 0..<19, using: &numbers) {
        case 0: .commandReject(.invalidChannel(local: cid(), remote: cid()))
        case 1, 2:
            link.transport == .le
                ? .creditBasedConnectionRequest(psm: psm(), source: cid(), terms: terms())
                : .connectionRequest(psm: psm(), source: cid())
        case 3...5:
            link.transport == .le
                ? .creditBasedConnectionResponse(destination: cid(), terms: terms(), result: result())
                : .connectionResponse(destination: cid(), source: cid(), result: result(), status: 0)
        case 6, 7:
            link.transport == .le
                ? .flowControlCredit(channel: cid(), credits: number())
                : .configurationRequest(
                    destination: cid(), isContinued: number() == 0, options: options())
        case 8...10:
            link.transport == .le
                ? .enhancedConnectionResponse(terms: terms(), result: result(), destinations: cids())
                : .configurationResponse(
                    source: cid(), isContinued: false, result: ConfigurationResult(rawValue: result()),
                    options: options())
        case 11: .disconnectionRequest(destination: cid(), source: cid())
        case 12: .disconnectionResponse(destination: cid(), source: cid())
        case 13: .enhancedConnectionRequest(psm: psm(), terms: terms(), sources: cids())
        case 14: .reconfigureRequest(mtu: number(), mps: number(), channels: cids())
        case 15:
            .parameterUpdateRequest(
                ConnectionParameters(shortestInterval: 12, longestInterval: 24, latency: number(), timeout: 600))
        case 16: .parameterUpdateResponse(isAccepted: true)
        case 17: .informationRequest(InformationType(rawValue: number()))
        default: .informationResponse(.features, value: 1)
        }
    }
}
