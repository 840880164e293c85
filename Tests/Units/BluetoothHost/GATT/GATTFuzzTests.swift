import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Hostile servers of a GATT client")
struct GATTFuzzTests {
    @Test("Any answers end every procedure after a bounded number of requests")
    func procedures() {
        var numbers = SeededNumbers(seed: 7)
        var habits = GATTHabits()
        habits.mostAttributes = 50
        for _ in 0..<2000 {
            var procedure: any GATTProcedure =
                [
                    ServiceDiscovery(habits), ServiceSearch([BluetoothUUID(short: 0x180F)], habits),
                    InclusionDiscovery(of: GATTSamples.battery, habits),
                    CharacteristicDiscovery(of: GATTSamples.battery, habits),
                    DescriptorDiscovery(of: GATTSamples.level, habits), ValueReading(3, for: "", habits),
                    TypedReading(BluetoothUUID(short: 0x2A00), habits),
                    PreparedWriting([HandleValue(3, [UInt8](repeating: 1, count: 99))], for: "", habits),
                    Subscribing(to: GATTSamples.level, isOn: true, habits),
                    ServiceChangedSubscribing(in: nil, habits),
                ].randomElement(using: &numbers) ?? MTUExchange(offered: 23)
            var step = procedure.start(mtu: 23)
            var count = 0
            while case .request(let pdu, _) = step, count < 200 {
                count += 1
                step = procedure.take(GATTFuzzTests.answer(to: pdu, &numbers), mtu: 23)
            }
            #expect(count < 200)
        }
    }

    /// An answer of the right kind with handles that mostly grow.
    private static func answer(
        to request: ATTPDU, _ numbers: inout SeededNumbers
    ) -> Result<ATTPDU, GATTFailure> {
        guard Int.random(in: 0..<40, using: &numbers) > 0 else { return .failure(.refused(ATTError(0x0A), handle: 1)) }
        let first = (request.handles?.first ?? 1) &+ UInt16.random(in: 0...1, using: &numbers)
        let range = HandleRange(first, first &+ UInt16.random(in: 0...2, using: &numbers))
        let part = (0..<22).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        switch request {
        case .readByGroupTypeRequest: return .success(.readByGroupTypeResponse([AttributeGroup(range, [1, 2])]))
        case .findByTypeValueRequest: return .success(.findByTypeValueResponse([range]))
        case .readByTypeRequest(_, type: AttributeType.characteristic):
            return .success(
                .readByTypeResponse([GATTSamples.characteristic(first, .indicate, value: range.last, 0x2A05)]))
        case .readByTypeRequest: return .success(.readByTypeResponse([HandleValue(first, Array(part.prefix(6)))]))
        case .findInformationRequest:
            return .success(.findInformationResponse([AttributeInformation(first, BluetoothUUID(short: 0x2902))]))
        case .readRequest: return .success(.readResponse(value: Array(part.prefix(16))))
        case .readBlobRequest: return .success(.readBlobResponse(value: part))
        case .prepareWriteRequest(let write): return .success(.prepareWriteResponse(write))
        case .executeWriteRequest: return .success(.executeWriteResponse)
        default: return .success(.writeResponse)
        }
    }
}
