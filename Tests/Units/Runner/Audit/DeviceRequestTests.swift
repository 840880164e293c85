import HIL
import HILAudit
import HILBluetoothHost
import HILExecution
import RadioModel
import Testing

@testable import HILCommand

@Suite("An audit of a device on the desk")
struct DeviceRequestTests {
    private static func device(_ last: UInt8, isRandom: Bool = false) throws -> AuditedDevice {
        let address = try #require(DeviceAddress(bytes: [isRandom ? 0x42 : 0xB8, 0x27, 0xEB, 1, 2, last]))
        return AuditedDevice(name: "Latch 2", address: PeerAddress(address, isRandom: isRandom))
    }

    @Test("It is named by its name or its address, beside a host board, and without a scenario")
    func words() throws {
        let rig = ["--rig", "pi-host,none"]
        guard
            case .audit(_, let settings, _) = try Arguments.parse(["audit", "--device", "Latch 2", "--yes"] + rig),
            case .audit(_, let other, _) = try Arguments.parse(["audit", "--device", "B8:27:EB:01:02:03"] + rig)
        else {
            Issue.record("not audit")
            return
        }
        #expect(settings.device?.target == .named("Latch 2") && settings.device?.isConfirmed == true)
        #expect(try other.device?.target == .address(Self.device(3).address.address))
        #expect(other.device?.isConfirmed == false)
        for (words, told) in [
            (["audit", "--device", "Latch 2"], "beside a host board"),
            (["audit", "--device", "Latch 2", "--rig", "pi-host,pi-acc"], "beside a host board"),
            (["audit", "lamp", "--device", "Latch 2"] + rig, "name one of both"),
            (["audit", "lamp", "--yes"], "--yes"),
        ] {
            let error = #expect(throws: UsageError.self) { try Arguments.parse(words) }
            #expect(error?.description.contains(told) == true, "\(String(describing: error))")
        }
    }

    @Test("Nothing is attacked without a yes, and without a terminal only with --yes")
    func consent() throws {
        var request = DeviceRequest("Latch 2")
        #expect(throws: UsageError.self) { try request.check(hasTerminal: false) }
        try request.check(hasTerminal: true)
        request.isConfirmed = true
        try request.check(hasTerminal: false)
        for answer in ["y", "Y", "yes", " yes "] { #expect(DeviceRequest.isYes(answer)) }
        for answer in [nil, "", "n", "no", "yellow", "Latch 2"] { #expect(!DeviceRequest.isYes(answer)) }
        #expect(try DeviceRequest.question(Self.device(3)) == "attack Latch 2 at B8:27:EB:01:02:03? [y/N] ")
        #expect(
            try DeviceRequest.question(Self.device(3, isRandom: true))
                == "attack Latch 2 at 42:27:EB:01:02:03 (a private address, until it changes)? [y/N] ")
    }

    @Test("Of several devices with one name none is attacked, and their addresses are told")
    func several() throws {
        let request = DeviceRequest("Latch 2")
        #expect(try request.choose(among: []) == nil)
        #expect(try request.choose(among: [(Self.device(3), -40)]) == Self.device(3))
        let error = #expect(throws: UsageError.self) {
            try request.choose(among: [(Self.device(3), -40), (Self.device(4), -70)])
        }
        let told = "B8:27:EB:01:02:03 (-40 dBm), B8:27:EB:01:02:04 (-70 dBm)"
        #expect(error?.description.contains(told) == true, "\(String(describing: error))")
    }

    @Test("A worker knows the checks of a device, which are in no list, and the command that makes one again names it")
    func checks() throws {
        let check = try #require(try Plan([]).planned("desk-device~pairing.legacy"))
        #expect(check.control?.name == "pairing.legacy")
        var invocation = Invocation(program: "hil")
        invocation.options = ["--rig", "pi-host,none", "--device", "B8:27:EB:01:02:03"]
        #expect(
            invocation.again(check.caseIdentifier)
                == "hil audit --only pairing.legacy --rig pi-host,none --device B8:27:EB:01:02:03")
    }
}
