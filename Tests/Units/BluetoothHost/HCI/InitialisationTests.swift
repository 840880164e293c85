import RadioModel
import Testing

@testable import HILBluetoothHost

/// A controller's answers to the commands of a start.
private struct ModelController {
    var features: LEFeatures = [
        .encryption, .dataLengthExtension, .twoMegabitPHY, .extendedAdvertising, .privacy, .connectionParametersRequest,
    ]
    var states: UInt64 = 0x3FF_FFFF_FFFF
    var classicFeatures: UInt64 = 0
    var supported = Set(HCIOpcode.table.keys)
    var refused: [HCIOpcode: HCIError] = [:]
    /// Answers with these bytes instead.
    var replaced: [HCIOpcode: [UInt8]] = [:]

    /// The return parameters after the status.
    func values(_ opcode: HCIOpcode) -> [UInt8] {
        var bytes: [UInt8] = []
        switch opcode {
        case .readLocalVersionInformation: return hci("0D 3412 0C 4C00 7856")
        case .readLocalSupportedCommands:
            bytes = [UInt8](repeating: 0, count: 64)
            for opcode in supported {
                guard let entry = HCIOpcode.table[opcode] else { continue }
                bytes[entry.octet] |= 1 << UInt8(entry.bit)
            }
        case .readLocalSupportedFeatures: bytes.append(uint64: classicFeatures)
        case .leReadLocalSupportedFeatures: bytes.append(uint64: features.rawValue)
        case .readAddress: return hci("665544332211")
        case .readBufferSize: return hci("FD03 40 0800 0100")
        case .leReadBufferSize: return hci("FB00 0C")
        case .leReadSupportedStates: bytes.append(uint64: states)
        case .leReadFilterAcceptListSize: return [8]
        case .leReadResolvingListSize: return [9]
        case .leReadMaximumAdvertisingDataLength: return hci("7206")
        case .leReadNumberOfSupportedAdvertisingSets: return [4]
        case .leReadMaximumDataLength: return hci("FB00 4808 FA00 4708")
        default: break
        }
        return bytes
    }

    /// Runs a start to its end; gives the commands and the last step.
    func run(_ configuration: Initialisation.Configuration = .init()) -> ([HCICommand], Initialisation.Step) {
        var initialisation = Initialisation(configuration: configuration)
        var commands: [HCICommand] = []
        var step = initialisation.start()
        while case .send(let command) = step {
            commands.append(command)
            let status = refused[command.opcode] ?? .success
            let values = replaced[command.opcode] ?? values(command.opcode)
            step = initialisation.completed(status, returnParameters: status.isSuccess ? values : [])
        }
        return (commands, step)
    }

    func information(_ configuration: Initialisation.Configuration = .init()) throws -> ControllerInformation {
        guard case .done(let information) = run(configuration).1 else { throw Malformed("the start failed") }
        return information
    }
}

@Suite("The start of a controller")
struct InitialisationTests {
    @Test("A start finds what the controller is and has")
    func information() throws {
        let information = try ModelController().information()
        #expect(information.address == DeviceAddress("11:22:33:44:55:66"))
        #expect(
            information.version
                == .init(hci: 13, hciSubversion: 0x1234, linkManager: 12, company: 0x4C, subversion: 0x5678))
        #expect(information.features == ModelController().features)
        #expect(information.supportedCommands.contains(.leRand))
        #expect(
            information.buffers
                == BufferSizes(
                    lowEnergy: .init(packetLength: 251, packetCount: 12),
                    classic: .init(packetLength: 1021, packetCount: 8)))
        #expect(information.filterAcceptListSize == 8)
        #expect(information.resolvingListSize == 9)
        #expect(information.advertisingDataLength == 1650)
        #expect(information.advertisingSets == 4)
        #expect(information.dataLength == DataLength(txOctets: 251, txTime: 2120, rxOctets: 250, rxTime: 2119))
        #expect(information.hasClassic)
        #expect(information.refusals == [])
        #expect(information.lacks == [])
    }

    @Test("A start begins with a Reset, and reads features before it sets masks")
    func order() throws {
        let opcodes = ModelController().run().0.map(\.opcode)
        #expect(opcodes.first == .reset)
        let features = try #require(opcodes.firstIndex(of: .leReadLocalSupportedFeatures))
        let mask = try #require(opcodes.firstIndex(of: .leSetEventMask))
        #expect(features < mask)
        #expect(Set(opcodes).count == opcodes.count)
    }

    @Test("The masks have the events that this host knows and the controller has")
    func masks() throws {
        var controller = ModelController()
        #expect(controller.run().0.contains(.setEventMask(HCIEvent.Code.allCases)))
        var events = Set(HCIEvent.LECode.allCases)
        events.subtract([.enhancedConnectionCompleteV2, .directedAdvertisingReport, .channelSelectionAlgorithm])
        #expect(controller.run().0.contains(.leSetEventMask(events)))
        controller.features = []
        let plain: Set<HCIEvent.LECode> = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
            .longTermKeyRequest, .enhancedConnectionComplete,
        ]
        #expect(controller.run().0.contains(.leSetEventMask(plain)))
    }

    @Test("A configuration's values are written, and without them nothing is")
    func configuration() {
        let optional: Set<HCIOpcode> = [.leWriteSuggestedDefaultDataLength, .leSetDefaultPHY, .writePageTimeout]
        #expect(optional.isDisjoint(with: ModelController().run().0.map(\.opcode)))
        var configuration = Initialisation.Configuration()
        configuration.defaultDataLength = .longest
        configuration.defaultPHYs = [.oneMegabit, .twoMegabit]
        configuration.pageTimeout = 0x2000
        let commands = ModelController().run(configuration).0
        #expect(commands.contains(.leWriteSuggestedDefaultDataLength(.longest)))
        #expect(commands.contains(.leSetDefaultPHY(tx: [.oneMegabit, .twoMegabit], rx: [.oneMegabit, .twoMegabit])))
        #expect(commands.contains(.writePageTimeout(slots: 0x2000)))
    }

    @Test("Classic settings are written only for a classic controller, and if they are wanted")
    func classic() throws {
        let settings: Set<HCIOpcode> = [
            .writeLEHostSupport, .writeSimplePairingMode, .writeSecureConnectionsHostSupport,
        ]
        #expect(settings.isSubset(of: ModelController().run().0.map(\.opcode)))
        var controller = ModelController()
        controller.classicFeatures = 1 << 37
        #expect(settings.isDisjoint(with: controller.run().0.map(\.opcode)))
        #expect(try !controller.information().hasClassic)
        var configuration = Initialisation.Configuration()
        configuration.usesClassic = false
        #expect(settings.isDisjoint(with: ModelController().run(configuration).0.map(\.opcode)))
    }

    @Test("Commands that the controller does not have are left out")
    func unsupported() throws {
        var controller = ModelController()
        controller.supported = [.readBufferSize]
        let commands = controller.run().0.map(\.opcode)
        #expect(
            commands == [
                .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .leReadLocalSupportedFeatures,
                .setEventMask, .leSetEventMask, .readAddress, .readBufferSize, .leReadBufferSize,
            ])
        let information = try controller.information()
        #expect(information.advertisingDataLength == 31)
        #expect(information.advertisingSets == 0)
        #expect(information.dataLength == nil)
    }

    @Test("A refused command that every controller has fails the start; another one is noted")
    func refused() throws {
        var controller = ModelController()
        controller.refused = [.writeSecureConnectionsHostSupport: .commandDisallowed]
        #expect(
            try controller.information().refusals == [
                "Write Secure Connections Host Support: the command is not allowed now (0x0C)"
            ])
        controller.refused = [.leReadBufferSize: .hardwareFailure]
        #expect(
            controller.run().1
                == .failed(
                    "the controller's start failed: LE Read Buffer Size: the controller's hardware failed (0x03)"))
    }

    @Test(
        "An answer that is too short fails the start",
        arguments: [
            HCIOpcode.readLocalVersionInformation, .readLocalSupportedCommands, .leReadBufferSize, .readAddress,
            .leReadSupportedStates, .leReadMaximumDataLength,
        ])
    func short(opcode: HCIOpcode) {
        var controller = ModelController()
        controller.replaced[opcode] = Array(controller.values(opcode).dropLast())
        guard case .failed(let text) = controller.run().1 else {
            Issue.record("the start did not fail")
            return
        }
        #expect(text.hasPrefix("the controller's start failed: the answer to \(opcode) of "))
    }

    @Test("A controller without buffers cannot be used; without LE buffers it can")
    func buffers() throws {
        var controller = ModelController()
        controller.replaced[.leReadBufferSize] = hci("0000 00")
        #expect(try !controller.information().buffers.lowEnergy.exist)
        controller.replaced[.readBufferSize] = hci("0000 00 0000 0000")
        #expect(controller.run().1 == .failed("the controller has no buffers for data"))
    }

    @Test("An address of zeros is none")
    func noAddress() throws {
        var controller = ModelController()
        controller.replaced[.readAddress] = [UInt8](repeating: 0, count: 6)
        #expect(try controller.information().address == nil)
    }

    @Test("A result without a command is an error, before and after the start")
    func early() {
        var initialisation = Initialisation()
        let failed = Initialisation.Step.failed("a result came before its command")
        #expect(initialisation.completed(.success, returnParameters: []) == failed)
    }

    @Test("What a phone needs and a controller lacks is told in plain words")
    func lacks() throws {
        var controller = ModelController()
        controller.features = [.encryption, .dataLengthExtension, .privacy]
        controller.states &= ~(1 << 28 | 1 << 38)
        #expect(
            try controller.information().lacks == [
                "extended advertising", "the 2M PHY", "connecting with another link as central",
                "advertising with a link as peripheral",
            ])
        controller.features = []
        controller.states = 0
        #expect(try controller.information().lacks.count == 14)
    }

    @Test("A start runs through the channel of a controller")
    func throughTheChannel() throws {
        let controller = ModelController()
        var (channel, initialisation) = (ControllerChannel(), Initialisation())
        var step = initialisation.start()
        var commandCount = 0
        while case .send(let command) = step {
            commandCount += 1
            let (token, outputs) = channel.send(command, at: .zero)
            #expect(outputs == [.packet(command.packet)])
            let answers = channel.receive(
                ControllerPacket.complete(command.opcode, .success, controller.values(command.opcode)), at: .zero)
            guard case .completed(let answered, let status, let values) = try #require(answers.first) else { break }
            #expect(answered == token)
            step = initialisation.completed(status, returnParameters: values)
        }
        #expect(step == .done(try controller.information()))
        #expect(commandCount > 15)
    }
}
