import RadioModel

/// Connection parameters that the peripheral asks for.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.20 and 4.21.
extension L2CAPLink {
    /// Asks the central for parameters.
    package mutating func requestParameters(
        _ wanted: ConnectionParameters, at now: Duration
    ) throws(L2CAPError) -> [Output] {
        guard transport == .le else { throw .wrongTransport }
        guard role == .peripheral else { throw .wrongRole }
        if let problem = wanted.problem { throw .invalidParameters(problem) }
        let isUnanswered = pending.values.contains { if case .parameters = $0.request { true } else { false } }
        guard !isUnanswered else { throw .unanswered }
        return [ask(.parameterUpdateRequest(wanted), for: .parameters(wanted), at: now)]
    }

    /// Answers the peripheral.
    ///
    /// - Parameter identifier: From ``Output/parametersRequested(_:identifier:)``.
    package mutating func answerParameters(identifier: UInt8, accepted: Bool) -> [Output] {
        guard parametersIdentifier == identifier else {
            return [.note("no request for parameters with identifier \(identifier) waits for an answer")]
        }
        parametersIdentifier = nil
        return [signal(.parameterUpdateResponse(isAccepted: accepted), identifier)]
    }

    mutating func receiveParameterRequest(_ wanted: ConnectionParameters, _ identifier: UInt8) -> [Output] {
        guard role == .central else {
            return [
                signal(.commandReject(.notUnderstood), identifier),
                .note("the central sent Connection Parameter Update Request, which is for peripherals"),
            ]
        }
        // A second request must wait for the first answer.
        let problem = wanted.problem ?? (parametersIdentifier == nil ? nil : "an earlier request has no answer yet")
        if let problem {
            return [
                signal(.parameterUpdateResponse(isAccepted: false), identifier),
                .refusedParameters(wanted, why: problem),
            ]
        }
        parametersIdentifier = identifier
        return [.parametersRequested(wanted, identifier: identifier)]
    }

    mutating func receiveParameterResponse(_ isAccepted: Bool, _ identifier: UInt8) -> [Output] {
        guard case .parameters? = pending[identifier]?.request else {
            return unmatched(.parameterUpdateResponse, identifier)
        }
        pending[identifier] = nil
        return [.parametersAnswered(accepted: isAccepted)]
    }
}
