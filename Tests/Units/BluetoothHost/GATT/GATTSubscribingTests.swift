import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("GATT subscriptions")
struct GATTSubscribingTests {
    /// A client that knows the services and characteristics of ``GATTSamples/values``.
    private func bench(
        _ configuration: GATTClient.Configuration = .init(), descriptors: Bool = false
    ) throws -> GATTBench {
        var bench = try GATTBench(GATTSamples.values, configuration)
        bench.perform(.discoverServices(nil))
        bench.perform(.discoverCharacteristics(service: 5, nil))
        if descriptors { bench.discoverAll() }
        bench.sent = []
        return bench
    }

    @Test("The properties decide: notifications first, otherwise indications")
    func properties() throws {
        var bench = try bench(descriptors: true)
        #expect(bench.perform(.setNotifying(characteristic: 0x0A, true)) == .done)
        #expect(bench.perform(.setNotifying(characteristic: 0x0D, true)) == .done)
        #expect(bench.perform(.setNotifying(characteristic: 0x0A, false)) == .done)
        #expect(
            bench.sent == [
                .writeRequest(handle: 0x0B, value: [1, 0]), .writeRequest(handle: 0x0E, value: [2, 0]),
                .writeRequest(handle: 0x0B, value: [0, 0]),
            ])
    }

    @Test("Another phone prefers indications")
    func indications() throws {
        var configuration = GATTClient.Configuration()
        configuration.habits.prefersIndications = true
        var bench = try bench(configuration, descriptors: true)
        bench.perform(.setNotifying(characteristic: 0x0A, true))
        #expect(bench.sent == [.writeRequest(handle: 0x0B, value: [2, 0])])
    }

    @Test("Unknown descriptors are discovered once")
    func discovers() throws {
        var bench = try bench()
        #expect(bench.perform(.setNotifying(characteristic: 0x0A, true)) == .done)
        #expect(
            bench.sent == [
                .findInformationRequest(HandleRange(0x0B, 0x0B)), .writeRequest(handle: 0x0B, value: [1, 0]),
            ])
        bench.sent = []
        #expect(bench.perform(.setNotifying(characteristic: 0x0A, false)) == .done)
        #expect(bench.sent.count == 1)
    }

    private struct Unexpected: Error {}

    /// A client that pauses as an iPhone does.
    private func pausing(
        _ subscription: GATTClient.Configuration.ServiceChangedSubscription = .never
    ) -> GATTClient.Configuration {
        var configuration = GATTClient.Configuration()
        configuration.subscribesToServiceChanged = subscription
        configuration.pauseAfterBonding = .milliseconds(300)
        configuration.pauseAfterKeys = .milliseconds(240)
        return configuration
    }

    @Test("After a bonding subscriptions wait, and what was asked after them; reads before them do not")
    func pausesAfterBonding() throws {
        var bench = try bench(pausing())
        bench.pump(bench.client.bonded(over: &bench.attributes, at: .zero))
        #expect(bench.client.deadline == .milliseconds(300))
        bench.now = .milliseconds(10)
        #expect(bench.perform(.read(0x0A)) != nil)
        #expect(bench.client.deadline == .milliseconds(250), "the accessory has the phone's keys")
        bench.now = .milliseconds(20)
        let subscription = bench.begin(.setNotifying(characteristic: 0x0A, true))
        let read = bench.begin(.read(0x0D))
        #expect(
            bench.sent == [.readRequest(handle: 0x0A), .findInformationRequest(HandleRange(0x0B, 0x0B))],
            "what the subscription must know first is asked at once")
        bench.pump(bench.client.advance(to: .milliseconds(249), over: &bench.attributes))
        #expect(bench.result(of: subscription) == nil && bench.result(of: read) == nil)
        bench.pump(bench.client.advance(to: .milliseconds(250), over: &bench.attributes))
        #expect(bench.result(of: subscription) == .done && bench.result(of: read) != nil)
        #expect(bench.client.deadline == nil)
    }

    @Test("The pause after a bonding has an end without any answer")
    func pausesWithoutAnswers() throws {
        var bench = try bench(pausing(), descriptors: true)
        bench.pump(bench.client.bonded(over: &bench.attributes, at: .zero))
        let subscription = bench.begin(.setNotifying(characteristic: 0x0A, true))
        bench.pump(bench.client.advance(to: .milliseconds(299), over: &bench.attributes))
        #expect(bench.result(of: subscription) == nil)
        bench.pump(bench.client.advance(to: .milliseconds(300), over: &bench.attributes))
        #expect(bench.result(of: subscription) == .done)
    }

    @Test("After a bonding the phone's own subscription to Service Changed comes before what an app asks next")
    func ownSubscriptionPauses() throws {
        var bench = try GATTBench(GATTSamples.values, pausing(.always))
        bench.pump(bench.client.bonded(over: &bench.attributes, at: .zero))
        #expect(bench.perform(.discoverServices(nil)) != nil)
        let discovery = bench.begin(.discoverCharacteristics(service: 5, nil))
        #expect(bench.result(of: discovery) == nil && !bench.client.table.isSubscribedToServiceChanged)
        bench.pump(bench.client.advance(to: .milliseconds(240), over: &bench.attributes))
        #expect(bench.result(of: discovery) != nil && bench.client.table.isSubscribedToServiceChanged)
    }

    @Test("A link that ends in the pause after a bonding fails what waits")
    func linkEndsInPause() throws {
        var bench = try bench(pausing(), descriptors: true)
        bench.pump(bench.client.bonded(over: &bench.attributes, at: .zero))
        let subscription = bench.begin(.setNotifying(characteristic: 0x0A, true))
        bench.pump(bench.client.take(bench.attributes.linkEnded(because: "lost"), over: &bench.attributes, at: .zero))
        guard case .failed(.lost)? = bench.result(of: subscription) else { throw GATTSubscribingTests.Unexpected() }
        #expect(bench.client.pendingRequests == 0)
    }

    @Test("A characteristic without the descriptor 2902 fails; the app is told Attribute Not Found")
    func noConfiguration() {
        let failure = GATTFailure.noClientConfiguration(handle: 0x12)
        #expect(failure.error?.code == 10)
        var level = GATTSamples.level
        let other = AttributeInformation(0x13, BluetoothUUID(short: 0x2901))
        let discovered = GATTScript(
            Subscribing(to: level, isOn: true, GATTHabits()), .findInformationResponse([other]),
            .notFound(.findInformationRequest, at: 0x14))
        #expect(discovered.result == .failed(failure))
        #expect(discovered.findings.count == 1, "What was discovered stays known")
        level.last = level.handle
        let empty = GATTScript(Subscribing(to: level, isOn: true, GATTHabits()))
        #expect(empty.result == .failed(failure) && empty.requests == [])
        level.descriptors = []
        #expect(GATTScript(Subscribing(to: level, isOn: false, GATTHabits())).result == .failed(failure))
    }

    @Test("A characteristic that neither notifies nor indicates is not asked")
    func unsupported() throws {
        var bench = try bench(descriptors: true)
        let result = bench.perform(.setNotifying(characteristic: 7, true))
        #expect(result == .failed(.unsupported("FF01 neither notifies nor indicates")))
        #expect(GATTFailure.unsupported("").error == .requestNotSupported)
        #expect(bench.sent == [])
    }

    @Test("The server's own error for the descriptor is the result", arguments: [0x80, 0xFD] as [UInt8])
    func ownError(code: UInt8) {
        var level = GATTSamples.level
        level.descriptors = [GATTDescriptor(uuid: AttributeType.clientConfiguration, id: DescriptorID(handle: 0x13))]
        let failure = GATTFailure.refused(ATTError(code), handle: 0x13)
        let script = GATTScript(Subscribing(to: level, isOn: true, GATTHabits()), [.failure(failure)])
        #expect(script.result == .failed(failure))
    }

    @Test("A response of the wrong kind, a lie or an error during the discovery fails the subscription")
    func broken() {
        var level = GATTSamples.level
        let discovering = Subscribing(to: level, isOn: true, GATTHabits())
        #expect(GATTScript(discovering, .writeResponse).broken?.contains("discovering descriptors") == true)
        let refusal = GATTFailure.refused(.unlikelyError, handle: 0x13)
        #expect(GATTScript(discovering, [.failure(refusal)]).result == .failed(refusal))
        level.descriptors = [GATTDescriptor(uuid: AttributeType.clientConfiguration, id: DescriptorID(handle: 0x13))]
        let writing = Subscribing(to: level, isOn: true, GATTHabits())
        #expect(GATTScript(writing, .readResponse(value: [])).broken == "Read Response during subscribing to 2A19")
        let off = Subscribing(to: level, isOn: false, GATTHabits())
        #expect(GATTScript(off, .executeWriteResponse).broken?.contains("unsubscribing from 2A19") == true)
    }

    @Test("A value before the Write Response of its subscription is delivered")
    func earlyValue() throws {
        var bench = try bench(descriptors: true)
        bench.isServerThere = false
        let id = bench.begin(.setNotifying(characteristic: 0x0A, true))
        bench.receive(.notification(HandleValue(0x0A, [42])))
        #expect(bench.received == [HandleValue(0x0A, [42])] && bench.result(of: id) == nil)
        bench.receive(.writeResponse)
        #expect(bench.result(of: id) == .done)
    }

    @Test("Notifications, several in one PDU, and indications are delivered in order; indications are confirmed")
    func values() throws {
        var bench = try bench(descriptors: true)
        bench.receive(.notification(HandleValue(0x0A, [1])))
        bench.receive(.multipleNotification([HandleValue(0x0A, [2]), HandleValue(0x0D, [3])]))
        bench.receive(.indication(HandleValue(0x0D, [4])))
        #expect(
            bench.outputs.suffix(4) == [
                .value(handle: 0x0A, [1], isIndication: false), .value(handle: 0x0A, [2], isIndication: false),
                .value(handle: 0x0D, [3], isIndication: false), .value(handle: 0x0D, [4], isIndication: true),
            ])
        #expect(bench.sent == [.confirmation] && bench.notes == [])
    }

    @Test("A value of an unknown handle is delivered, and told once per handle and not without end")
    func unknownHandles() throws {
        var configuration = GATTClient.Configuration()
        configuration.mostNotedHandles = 3
        var bench = try bench(configuration)
        for handle in [0x40, 0x40, 0x41, 0x42, 0x43, 0x44] as [UInt16] {
            bench.receive(.notification(HandleValue(handle, [1])))
        }
        #expect(bench.received.count == 6)
        #expect(
            bench.notes == ["0x0040", "0x0041", "0x0042"].map { "notification of the unknown handle \($0)" })
        #expect(bench.client.notedHandles.count == 3)
    }
}
