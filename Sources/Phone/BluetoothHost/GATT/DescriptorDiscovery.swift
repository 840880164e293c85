import RadioModel

/// Discover All Characteristic Descriptors. A characteristic without room for descriptors needs no request.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.7.1.
struct DescriptorDiscovery: GATTProcedure {
    private let characteristic: DiscoveredCharacteristic
    /// Whether the end of the characteristic is not known, so that the next declaration shows it.
    private let endsAtDeclaration: Bool
    private var walk: HandleWalk
    private var descriptors: [GATTDescriptor] = []
    private var isComplete = false

    init(of characteristic: DiscoveredCharacteristic, endsAtDeclaration: Bool = false, _ habits: GATTHabits) {
        self.characteristic = characteristic
        self.endsAtDeclaration = endsAtDeclaration
        // 0 to 0 is an empty walk.
        walk = HandleWalk(
            characteristic.descriptorRange ?? HandleRange(0, 0),
            for: "discovering descriptors of \(characteristic.uuid.namedText)", most: habits.mostAttributes)
    }

    var findings: [GATTFinding] { isComplete ? [.descriptors(descriptors, ofValue: characteristic.handle)] : [] }

    mutating func start(mtu: Int) -> GATTStep { next() }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.findInformationResponse(let entries)): take(entries)
        case .success(let pdu): .failed(.unexpected(pdu, for: walk.context))
        case .failure(.refused(.attributeNotFound, _)): finish()
        case .failure(let failure): .failed(failure)
        }
    }

    private mutating func take(_ entries: [AttributeInformation]) -> GATTStep {
        guard !entries.isEmpty else { return .failed(walk.broken("an answer without a descriptor")) }
        do throws(GATTFailure) {
            for entry in entries {
                try walk.pass(HandleRange(entry.handle, entry.handle), "descriptor")
                if DescriptorDiscovery.declarations.contains(entry.type) {
                    if endsAtDeclaration { return finish() }
                    throw walk.broken(
                        "declaration \(entry.type.shortText) at handle \(HandleRange.text(entry.handle)), among "
                            + "descriptors")
                }
                descriptors.append(GATTDescriptor(uuid: entry.type, id: DescriptorID(handle: entry.handle)))
            }
        } catch {
            return .failed(error)
        }
        return next()
    }

    private static let declarations = [
        AttributeType.primaryService, AttributeType.secondaryService, AttributeType.include,
        AttributeType.characteristic,
    ]

    private mutating func next() -> GATTStep {
        guard let rest = walk.rest else { return finish() }
        return .request(.findInformationRequest(rest), for: walk.context)
    }

    private mutating func finish() -> GATTStep {
        isComplete = true
        return .done(.descriptors(descriptors))
    }
}
