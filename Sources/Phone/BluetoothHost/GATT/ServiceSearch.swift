import RadioModel

/// Discover Primary Service by Service UUID, for one UUID after the other.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.4.2.
struct ServiceSearch: GATTProcedure {
    private let uuids: [BluetoothUUID]
    private let habits: GATTHabits
    private var index = 0
    private var walk: HandleWalk
    private var services: [DiscoveredService] = []
    private var isComplete = false

    init(_ uuids: [BluetoothUUID], _ habits: GATTHabits) {
        self.uuids = uuids
        self.habits = habits
        walk = ServiceSearch.walk(for: uuids.first, habits)
    }

    var findings: [GATTFinding] { isComplete ? [.services(services)] : [] }

    mutating func start(mtu: Int) -> GATTStep { next() }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.findByTypeValueResponse(let ranges)): take(ranges)
        case .success(let pdu): .failed(.unexpected(pdu, for: walk.context))
        case .failure(.refused(.attributeNotFound, _)): nextUUID()
        case .failure(let failure): .failed(failure)
        }
    }

    private mutating func take(_ ranges: [HandleRange]) -> GATTStep {
        guard !ranges.isEmpty else { return .failed(walk.broken("an answer without a service")) }
        do throws(GATTFailure) {
            for range in ranges {
                try walk.pass(range, "service")
                if let other = services.first(where: { $0.range.overlaps(range) }) {
                    throw walk.broken("service at handles \(range), which overlap \(other.range)")
                }
                services.append(DiscoveredService(range, uuids[index]))
            }
        } catch {
            return .failed(error)
        }
        return next()
    }

    private mutating func next() -> GATTStep {
        guard index < uuids.count else {
            isComplete = true
            return .done(.services(services.sorted { $0.handle < $1.handle }))
        }
        guard let rest = walk.rest else { return nextUUID() }
        var value: [UInt8] = []
        value.append(uuid: uuids[index])
        return .request(.findByTypeValueRequest(rest, type: 0x2800, value: value), for: walk.context)
    }

    private mutating func nextUUID() -> GATTStep {
        index += 1
        if index < uuids.count { walk = ServiceSearch.walk(for: uuids[index], habits) }
        return next()
    }

    private static func walk(for uuid: BluetoothUUID?, _ habits: GATTHabits) -> HandleWalk {
        let context = "searching for service \(uuid?.namedText ?? "")"
        return HandleWalk(.all, for: context, most: habits.mostAttributes)
    }
}
