import Testing

@testable import HILBench

struct LoginCommandTests {
    @Test(
        "A board at a port of its own is reached by a URI, any other by its name",
        arguments: [
            ("pi-host", "pi-host"), ("pi@10.0.0.7", "pi@10.0.0.7"), ("pi@10.0.0.7:2222", "ssh://pi@10.0.0.7:2222"),
            ("pi-host:22", "ssh://pi-host:22"), ("root@[fe80::1]:2222", "ssh://root@[fe80::1]:2222"),
            ("root@fe80::1", "root@fe80::1"), ("fe80::1:2", "fe80::1:2"),
        ])
    func destination(_ name: String, _ expected: String) {
        #expect(LoginCommand.destination(name) == expected)
    }
}
