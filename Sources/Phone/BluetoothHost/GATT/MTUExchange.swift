/// Exchange MTU, once per link. The ATT client changes the MTU itself.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.3.1.
struct MTUExchange: GATTProcedure {
    /// The MTU that the phone offers, in bytes.
    let offered: UInt16
    private static let context = "exchanging the MTU"

    mutating func start(mtu: Int) -> GATTStep { .request(.exchangeMTURequest(mtu: offered), for: MTUExchange.context) }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.exchangeMTUResponse): .done(.mtu(mtu))
        case .success(let pdu): .failed(.unexpected(pdu, for: MTUExchange.context))
        case .failure(let failure): .failed(failure)
        }
    }
}
