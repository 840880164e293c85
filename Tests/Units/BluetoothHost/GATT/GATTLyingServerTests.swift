import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Servers that lie to GATT discoveries")
struct GATTLyingServerTests {
    private static let uuid = GATTSamples.bytes(0x180F)

    private static func groups(_ ranges: (UInt16, UInt16)...) -> ATTPDU {
        .readByGroupTypeResponse(ranges.map { AttributeGroup(HandleRange($0.0, $0.1), uuid) })
    }

    /// Expects a failure whose text names what came.
    private static func expect(
        _ procedure: some GATTProcedure, _ answers: ATTPDU..., fails text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let script = GATTScript(procedure, answers.map { .success($0) })
        #expect(script.broken?.contains(text) == true, "\(script)", sourceLocation: sourceLocation)
        #expect(script.findings == [], sourceLocation: sourceLocation)
    }

    @Test("Services whose handles do not grow, overlap or make no sense fail their discovery")
    func services() {
        let discovery = ServiceDiscovery(GATTHabits())
        typealias Tests = GATTLyingServerTests
        Tests.expect(
            discovery, Tests.groups((1, 4)), Tests.groups((1, 4)),
            fails: "service at handle 0x0001; handles from 0x0005")
        Tests.expect(discovery, Tests.groups((5, 8), (3, 4)), fails: "service at handle 0x0003")
        Tests.expect(discovery, Tests.groups((1, 8), (8, 9)), fails: "handles from 0x0009 on are due")
        Tests.expect(discovery, Tests.groups((8, 7)), fails: "the handles 0x0008 to 0x0007")
        Tests.expect(discovery, Tests.groups((0, 7)), fails: "the handles 0x0000 to 0x0007")
        Tests.expect(discovery, Tests.groups((1, 0xFFFF), (2, 3)), fails: "after the end of the range")
        Tests.expect(discovery, .readByGroupTypeResponse([]), fails: "without a service")
        Tests.expect(discovery, .readResponse(value: []), fails: "Read Response during discovering services")
    }

    @Test("A UUID has 2 or 16 bytes", arguments: [0, 1, 3, 4, 15, 17])
    func uuids(count: Int) {
        let group = AttributeGroup(HandleRange(1, 4), [UInt8](repeating: 1, count: count))
        GATTLyingServerTests.expect(
            ServiceDiscovery(GATTHabits()), .readByGroupTypeResponse([group]),
            fails: "handle 0x0001 with a UUID of \(count) bytes")
    }

    @Test("More services than the phone takes fail their discovery")
    func tooMany() {
        var habits = GATTHabits()
        habits.mostAttributes = 2
        GATTLyingServerTests.expect(
            ServiceDiscovery(habits), GATTLyingServerTests.groups((1, 1), (2, 2), (3, 3)),
            fails: "more than 2 entries; service at handle 0x0003")
        #expect(GATTScript(ServiceDiscovery(habits), GATTLyingServerTests.groups((1, 1), (2, 0xFFFF))).broken == nil)
    }

    @Test("A search by UUID fails for the same lies, and for services that overlap across UUIDs")
    func search() {
        let habits = GATTHabits()
        let two = ServiceSearch([BluetoothUUID(short: 0x180F), BluetoothUUID(short: 0x1810)], habits)
        let first = ATTPDU.findByTypeValueResponse([HandleRange(5, 8)])
        typealias Tests = GATTLyingServerTests
        Tests.expect(two, first, first, fails: "service at handle 0x0005; handles from 0x0009")
        Tests.expect(two, .findByTypeValueResponse([]), fails: "without a service")
        Tests.expect(two, .findByTypeValueResponse([HandleRange(8, 5)]), fails: "0x0008 to 0x0005")
        Tests.expect(two, .writeResponse, fails: "Write Response during searching for service 180F")
        let script = GATTScript(
            two, first, .notFound(.findByTypeValueRequest), .findByTypeValueResponse([HandleRange(8, 9)]))
        #expect(script.broken?.contains("0x0008 to 0x0009, which overlap 0x0005 to 0x0008") == true)
        #expect(GATTScript(ServiceSearch([], habits)).result == .services([]))
    }

    @Test("Include declarations that make no sense fail their discovery")
    func included() {
        let discovery = InclusionDiscovery(of: GATTSamples.battery, GATTHabits())
        func answer(_ handle: UInt16, _ value: [UInt8]) -> ATTPDU { .readByTypeResponse([HandleValue(handle, value)]) }
        let short = GATTSamples.bytes(0x30, 0x35)
        typealias Tests = GATTLyingServerTests
        Tests.expect(discovery, answer(0x21, short), fails: "handle 0x0021, outside of 0x0010 to 0x0020")
        Tests.expect(discovery, answer(0x11, short + [1]), fails: "handle 0x0011 with 5 bytes")
        Tests.expect(discovery, answer(0x11, []), fails: "with 0 bytes")
        Tests.expect(discovery, answer(0x11, GATTSamples.bytes(0x35, 0x30)), fails: "0x0035 to 0x0030")
        Tests.expect(discovery, answer(0x11, GATTSamples.bytes(0, 0x30)), fails: "0x0000 to 0x0030")
        Tests.expect(discovery, answer(0x11, GATTSamples.bytes(0x10, 0x20)), fails: "0x0010 to 0x0020")
        Tests.expect(
            discovery, answer(0x11, short), .readResponse(value: [0x0F, 0x18]),
            fails: "handle 0x0030 with a UUID of 2 bytes")
        Tests.expect(discovery, answer(0x11, short), answer(0x12, short), fails: "Read By Type Response")
        Tests.expect(discovery, .readResponse(value: []), fails: "Read Response")
        Tests.expect(discovery, .readByTypeResponse([]), fails: "without an include declaration")
        let refusal = GATTFailure.refused(.attributeNotFound, handle: 0x30)
        let script = GATTScript(discovery, [.success(answer(0x11, short)), .failure(refusal)])
        #expect(script.result == .failed(refusal), "Only the search may end with Attribute Not Found")
    }

    @Test("Characteristics that make no sense fail their discovery")
    func characteristics() {
        let discovery = CharacteristicDiscovery(of: GATTSamples.battery, GATTHabits())
        func answer(_ entries: HandleValue...) -> ATTPDU { .readByTypeResponse(entries) }
        func entry(_ handle: UInt16, value: UInt16, _ properties: UInt8 = 2) -> HandleValue {
            GATTSamples.characteristic(handle, .init(rawValue: properties), value: value, 0x2A19)
        }
        typealias Tests = GATTLyingServerTests
        Tests.expect(discovery, answer(entry(0x0F, value: 0x11)), fails: "handle 0x000F, outside of")
        Tests.expect(discovery, answer(entry(0x11, value: 0x11)), fails: "with its value at handle 0x0011")
        Tests.expect(discovery, answer(entry(0x11, value: 0x0C)), fails: "with its value at handle 0x000C")
        Tests.expect(discovery, answer(entry(0x20, value: 0x21)), fails: "with its value at handle 0x0021")
        Tests.expect(
            discovery, answer(entry(0x11, value: 0x15), entry(0x13, value: 0x16)), fails: "handles from 0x0016")
        Tests.expect(
            discovery, answer(entry(0x11, value: 0x12)), answer(entry(0x11, value: 0x12)), fails: "handles from 0x0013")
        Tests.expect(discovery, answer(entry(0x11, value: 0x12, 0)), fails: "0x0011 without any property")
        Tests.expect(discovery, answer(entry(0x1F, value: 0x20, 0x82)), fails: "extended properties")
        Tests.expect(discovery, answer(HandleValue(0x11, [2, 0x12, 0])), fails: "declaration of 3 bytes")
        Tests.expect(
            discovery, answer(HandleValue(0x11, [2, 0x12, 0, 1, 2, 3, 4])), fails: "declaration of 7 bytes")
        Tests.expect(discovery, .readByTypeResponse([]), fails: "without a characteristic")
        Tests.expect(discovery, .writeResponse, fails: "Write Response during discovering characteristics of 180F")
        var habits = GATTHabits()
        habits.requiresProperties = false
        let lenient = CharacteristicDiscovery(of: GATTSamples.battery, habits)
        #expect(GATTScript(lenient, answer(entry(0x1F, value: 0x20, 0))).broken == nil)
    }

    @Test("Descriptors that make no sense fail their discovery")
    func descriptors() {
        let discovery = DescriptorDiscovery(of: GATTSamples.level, GATTHabits())
        func answer(_ handle: UInt16, _ type: UInt16 = 0x2902) -> ATTPDU {
            .findInformationResponse([AttributeInformation(handle, BluetoothUUID(short: type))])
        }
        typealias Tests = GATTLyingServerTests
        Tests.expect(discovery, answer(0x12), fails: "descriptor at handle 0x0012, outside of")
        Tests.expect(discovery, answer(0x15), fails: "descriptor at handle 0x0015, outside of")
        Tests.expect(discovery, answer(0x13), answer(0x13), fails: "handles from 0x0014 on are due")
        Tests.expect(discovery, answer(0x13, 0x2803), fails: "declaration 2803 at handle 0x0013")
        Tests.expect(discovery, .findInformationResponse([]), fails: "without a descriptor")
        Tests.expect(discovery, .writeResponse, fails: "Write Response during discovering descriptors of 2A19")
    }

    @Test("A lie that a procedure finds is told once, and fails its action")
    func toldOnce() throws {
        var bench = try GATTBench()
        bench.isServerThere = false
        let id = bench.begin(.discoverServices(nil))
        let group = AttributeGroup(HandleRange(1, 4), [1, 2, 3])
        bench.receive(.readByGroupTypeResponse([group]))
        guard case .failed(.broken(let text))? = bench.result(of: id) else {
            Issue.record("the action did not fail")
            return
        }
        #expect(bench.violations == [text])
        // The same lie again is told again.
        let again = bench.begin(.discoverServices(nil))
        bench.receive(.readByGroupTypeResponse([group]))
        #expect(bench.result(of: again) == .failed(.broken(text)))
        #expect(bench.violations == [text, text])
    }

    @Test("A lie that the ATT client finds is told once, and fails its action")
    func toldOnceByATT() throws {
        var bench = try GATTBench()
        bench.isServerThere = false
        let id = bench.begin(.discoverServices(nil))
        bench.pump(bench.receive(ATTSamples.bytes("11 06 01 00 00 00 0F 18")))
        #expect(bench.violations.count == 1)
        #expect(bench.result(of: id) == .failed(.broken(bench.violations.first ?? "")))
        // An answer of another kind leaves the request outstanding.
        let waiting = bench.begin(.read(3))
        bench.receive(.writeResponse)
        #expect(bench.violations.count == 2 && bench.result(of: waiting) == nil)
    }

    @Test("Services that contradict known ones are told, and replace them")
    func contradiction() {
        var table = GATTTable()
        #expect(table.learn(.services([GATTSamples.battery])) == [])
        let other = DiscoveredService(HandleRange(0x18, 0x28), BluetoothUUID(short: 0x1810))
        let problems = table.learn(.services([other]))
        let text = "service 1810 at handles 0x0018 to 0x0028, which overlap service 180F at 0x0010 to 0x0020"
        #expect(problems == [text])
        #expect(table.services.map(\.service) == [other])
        let inclusion = IncludedService(0x19, HandleRange(0x20, 0x30), BluetoothUUID(short: 0x180A))
        #expect(table.learn(.included([inclusion], by: 0x18)).count == 1)
        #expect(table.services.map(\.service) == [other])
    }
}
