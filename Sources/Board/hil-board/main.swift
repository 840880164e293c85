import BoardAgent
import DieProgram
import Glibc
import POSIX
import VirtualRadio

/// Says something on standard error and ends.
func fail(_ message: String, code: Int32) -> Never {
    try? Descriptor(adopting: 2).write("hil-board: \(message)\n".utf8)
    exit(code)
}

let usage = """
    usage: \(AgentOptions.usage)
           hil-board radio [BLUETOOTH-PORT WIFI-PORT]
           hil-board internet ADDRESS
    """
let arguments = CommandLine.arguments.dropFirst()

switch arguments.first {
case "agent":
    do {
        let options = try AgentOptions(
            Array(arguments.dropFirst()), kernelCommandLine: AgentOptions.kernelCommandLine())
        // A board with real radios has no such word, and listens on every channel.
        try runAgent(options, accessory: DieProgram.self) { ChannelsInUse().read() }
    } catch let mistake as AgentOptions.Mistake {
        fail("\(mistake)\n\(usage)", code: 64)
    } catch {
        fail("\(error)", code: 1)
    }
case "crash":
    do { try CrashHandler.run(Array(arguments.dropFirst())) } catch { fail("\(error)", code: 1) }
case "radio":
    let ports = Array(arguments.dropFirst())
    guard ports.isEmpty || ports.count == 2 else { fail("radio takes two ports or none\n\(usage)", code: 64) }
    do {
        try runVirtualRadio(
            bluetoothPort: ports.first ?? "/dev/vport0p2", wifiPort: ports.last ?? "/dev/vport0p3")
    } catch {
        fail("\(error)", code: 1)
    }
case "internet":
    guard arguments.count == 2, let address = arguments.last else {
        fail("internet takes the address that it is to listen on\n\(usage)", code: 64)
    }
    do { try runInternet(on: address, services: DieProgram.internetServices) } catch { fail("\(error)", code: 1) }
case "--help", "-h": print(usage)
default: fail("say what this board is to run\n\(usage)", code: 64)
}
