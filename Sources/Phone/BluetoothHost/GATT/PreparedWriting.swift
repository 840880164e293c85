import RadioModel

/// Write Long Characteristic Values, Write Long Characteristic Descriptors and Reliable Writes: the server keeps the
/// pieces, its echoes are compared, then all are written.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.9.4, 4.9.5 and 4.12.4.
struct PreparedWriting: GATTProcedure {
    private enum Stage {
        case preparing
        case executing
        /// The server drops the pieces; then the procedure fails.
        case cancelling(GATTFailure)
    }

    private let values: [HandleValue]
    private let context: String
    private let longestValue: Int
    private var stage = Stage.preparing
    /// The place of the next piece.
    private var index = 0
    private var offset = 0
    private var sent: AttributeWrite?
    private(set) var hasPreparedWrites = false

    init(_ values: [HandleValue], for context: String, _ habits: GATTHabits) {
        self.values = values
        self.context = context
        longestValue = min(habits.longestValue, Int(UInt16.max))
    }

    mutating func start(mtu: Int) -> GATTStep {
        guard !values.isEmpty else { return .failed(.invalid("\(context): no values")) }
        if let long = values.first(where: { $0.value.count > longestValue }) {
            return .failed(.tooLong("\(context): \(long.value.count) bytes; \(longestValue) are possible"))
        }
        return next(mtu: mtu)
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch (stage, answer) {
        case (.cancelling(let failure), _): return .failed(failure)
        case (.preparing, .success(.prepareWriteResponse(let echo))): return take(echo, mtu: mtu)
        case (.executing, .success(.executeWriteResponse)): return .done(.done)
        case (_, .success(let pdu)): return .failed(.unexpected(pdu, for: context))
        case (.preparing, .failure(let failure)): return cancel(because: failure)
        case (.executing, .failure(let failure)): return .failed(failure)
        }
    }

    private mutating func take(_ echo: AttributeWrite, mtu: Int) -> GATTStep {
        guard let sent, echo == sent else {
            let text = "echo of handle \(HandleRange.text(echo.handle)), offset \(echo.offset), is not what was sent"
            hasPreparedWrites = true
            return cancel(because: .broken("\(context): \(text): \(Hex.spaced(echo.value))"))
        }
        hasPreparedWrites = true
        offset += sent.value.count
        if offset >= values[index].value.count {
            index += 1
            offset = 0
        }
        return next(mtu: mtu)
    }

    private mutating func next(mtu: Int) -> GATTStep {
        guard index < values.count else {
            stage = .executing
            return .request(.executeWriteRequest(commits: true), for: context)
        }
        let part = values[index].value.dropFirst(offset).prefix(max(1, mtu - 5))
        let piece = AttributeWrite(values[index].handle, offset: UInt16(clamping: offset), Array(part))
        sent = piece
        return .request(.prepareWriteRequest(piece), for: context)
    }

    /// An answer in the wrong form may belong to a piece that the server keeps.
    private mutating func cancel(because failure: GATTFailure) -> GATTStep {
        if case .broken = failure { hasPreparedWrites = true }
        guard hasPreparedWrites, !failure.endsBearer else { return .failed(failure) }
        stage = .cancelling(failure)
        return .request(.executeWriteRequest(commits: false), for: "cancelling: \(context)")
    }
}
