import RadioModel

/// Discover All Primary Services; the same for secondary ones.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.4.1.
struct ServiceDiscovery: GATTProcedure {
    private let isPrimary: Bool
    private var walk: HandleWalk
    private var services: [DiscoveredService] = []
    private var isComplete = false

    init(isPrimary: Bool = true, _ habits: GATTHabits) {
        self.isPrimary = isPrimary
        let context = "discovering \(isPrimary ? "" : "secondary ")services"
        walk = HandleWalk(.all, for: context, most: habits.mostAttributes)
    }

    var findings: [GATTFinding] { isComplete ? [.allServices(services, isPrimary: isPrimary)] : [] }

    mutating func start(mtu: Int) -> GATTStep { next() }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.readByGroupTypeResponse(let groups)): take(groups)
        case .success(let pdu): .failed(.unexpected(pdu, for: walk.context))
        case .failure(.refused(.attributeNotFound, _)): finish()
        case .failure(let failure): .failed(failure)
        }
    }

    private mutating func take(_ groups: [AttributeGroup]) -> GATTStep {
        guard !groups.isEmpty else { return .failed(walk.broken("an answer without a service")) }
        do throws(GATTFailure) {
            for group in groups {
                try walk.pass(group.range, "service")
                guard group.value.count != 4, let uuid = BluetoothUUID(bytes: group.value.reversed()) else {
                    throw walk.broken(
                        "service at handle \(HandleRange.text(group.range.first)) with a UUID of "
                            + "\(group.value.count) bytes")
                }
                services.append(DiscoveredService(group.range, uuid, isPrimary: isPrimary))
            }
        } catch {
            return .failed(error)
        }
        return next()
    }

    private mutating func next() -> GATTStep {
        guard let rest = walk.rest else { return finish() }
        let type = isPrimary ? AttributeType.primaryService : AttributeType.secondaryService
        return .request(.readByGroupTypeRequest(rest, type: type), for: walk.context)
    }

    private mutating func finish() -> GATTStep {
        isComplete = true
        return .done(.services(services))
    }
}
