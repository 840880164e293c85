import RadioModel

/// Why a GATT procedure failed.
package enum GATTFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The server's Error Response.
    case refused(ATTError, handle: UInt16)
    /// The server broke the protocol; the text has the handle.
    case broken(String)
    case timedOut(String)
    /// The link has ended.
    case lost(String)
    /// The services of these handles have changed since the request.
    case servicesChanged(HandleRange)
    /// The characteristic has no descriptor 2902.
    ///
    /// - Parameter handle: The handle of the characteristic's value.
    case noClientConfiguration(handle: UInt16)
    /// The properties of the characteristic exclude the request. Nothing was sent.
    case unsupported(String)
    /// The value is too long. Nothing was sent.
    case tooLong(String)
    /// The request is not possible, for example for an unknown handle. Nothing was sent.
    case invalid(String)

    /// The ATT error that stands for the failure: the server's own one, or the one that an app is told; nil if there
    /// is none.
    package var error: ATTError? {
        switch self {
        case .refused(let error, _): error
        case .noClientConfiguration: .attributeNotFound
        case .unsupported: .requestNotSupported
        case .tooLong: .invalidAttributeValueLength
        case .servicesChanged, .invalid: .invalidHandle
        case .broken, .timedOut, .lost: nil
        }
    }

    package var description: String {
        switch self {
        case .refused(let error, let handle): "refused with \(error) for handle \(HandleRange.text(handle))"
        case .servicesChanged(let range): "the services of handles \(range) have changed"
        case .noClientConfiguration(let handle):
            "characteristic at handle \(HandleRange.text(handle)) without the descriptor 2902"
        case .broken(let text), .timedOut(let text), .lost(let text), .unsupported(let text), .tooLong(let text),
            .invalid(let text):
            text
        }
    }

    /// Whether the bearer can carry no further request.
    var endsBearer: Bool {
        switch self {
        case .timedOut, .lost: true
        default: false
        }
    }

    /// Whether it is the server's fault alone, so that the link ends because of it.
    var endsLink: Bool {
        switch self {
        case .broken, .timedOut: true
        default: false
        }
    }

    /// A response that does not belong to the request. The ATT client lets none pass.
    static func unexpected(_ pdu: ATTPDU, for context: String) -> GATTFailure {
        .broken("\(pdu.opcode.name) during \(context)")
    }
}
