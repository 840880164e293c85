/// One request as somebody else made it, with its answer as it came.
struct SingleRequest: GATTProcedure {
    let pdu: ATTPDU

    mutating func start(mtu: Int) -> GATTStep { .request(pdu, for: "a single request") }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(let pdu): .done(.pdu(pdu))
        case .failure(let failure): .failed(failure)
        }
    }

}
