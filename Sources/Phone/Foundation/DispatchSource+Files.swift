import Dispatch

// Sources of events that Dispatch on Linux lacks. Source: Dispatch, DispatchSourceFileSystemObject.

/// A watched file. There are none here: only properties of this type compile.
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

extension DispatchSource {
    @available(
        *, unavailable,
        message: "Dispatch on Linux watches no files: read the file when the app has written it, or leave this file out"
    )
    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32, eventMask: DispatchSource.FileSystemEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject { fatalError("the compiler does not let this happen") }
}
