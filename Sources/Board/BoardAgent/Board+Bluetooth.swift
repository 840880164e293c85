import BoardProtocol
import FoundationEssentials
import RadioModel

/// The commands to the phone's Bluetooth, on a host board.
extension Board {
    func performBluetooth(_ command: BoardCommand) async throws -> BoardResult {
        switch command {
        case .setBluetoothPower(let isOn): try await bluetooth.setPower(isOn)
        case .discover(let isOn): try await bluetooth.discover(isOn)
        case .connect(let device): try await bluetooth.connect(device)
        case .disconnect(let device): try await bluetooth.disconnect(device)
        case .pair(let device): return .bond(try await bluetooth.pair(device))
        case .answerPairing(let device, let accept): try await bluetooth.answerPairing(device, accept: accept)
        case .forget(let device): try await bluetooth.forget(device)
        case .services(let device): return .services(try await bluetooth.services(device))
        case .read(let device, let characteristic): return .value(try await bluetooth.read(device, characteristic))
        case .write(let device, let characteristic, let value, let withResponse):
            try await bluetooth.write(device, characteristic, value: value, withResponse: withResponse)
        case .setNotifying(let device, let characteristic, let isOn):
            try await bluetooth.setNotifying(device, characteristic, isOn)
        case .enterPasskey(let device, let passkey): try await bluetooth.enterPasskey(device, passkey)
        case .openChannel(let device, let port):
            let channel = try await bluetooth.openLEChannel(to: device, port: port)
            return .channel(number: channels.add(channel), mtu: channel.sendMTU)
        case .sendOnChannel(let number, let packet): try await channels.send(Array(packet), on: number)
        case .receiveFromChannel(let number): return .value(Data(try await channels.receive(from: number)))
        case .closeChannel(let number): channels.close(number)
        case .setConnectionParameters(let device, let parameters):
            try await bluetooth.changeParameters(device, parameters)
        case .probe(let device, let attributes):
            return .accesses(try await bluetooth.probe(device, attributes))
        case .setPersonality(let personality): try await bluetooth.setPersonality(personality)
        case .takeController:
            let (session, address) = try await controller.take()
            return .controller(session: session, address)
        case .giveControllerBack: try await controller.giveBack()
        case .mtu(let device): return .number(try await bluetooth.mtu(device))
        case .signal(let device): return .number(try await bluetooth.signal(device))
        case .bridge(let device, let port): return .bridge(try await bluetooth.bridge(device, port: port))
        case .readDescriptor(let device, let descriptor):
            return .value(try await bluetooth.readDescriptor(device, descriptor))
        case .writeDescriptor(let device, let descriptor, let value):
            try await bluetooth.writeDescriptor(device, descriptor, value: value)
        default: throw RadioError.invalid("this agent does not know \(command.name)")
        }
        return .done
    }
}
