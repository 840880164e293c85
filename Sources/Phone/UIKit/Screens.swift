import Foundation

// Names of UIKit that need a screen. Their use is an error that says so, in place of “cannot find in scope”.

@available(*, unavailable, message: "UIKit's screens are not simulated: leave files with views out of the target")
open class UIViewController {
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func didReceiveMemoryWarning() {}
}

@available(*, unavailable, message: "UIKit's screens are not simulated: leave files with views out of the target")
open class UITableViewController {
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func didReceiveMemoryWarning() {}
}

@available(*, unavailable, message: "UIKit's screens are not simulated: leave files with views out of the target")
open class UIView {}

@available(*, unavailable, message: "UIKit's screens are not simulated: leave files with views out of the target")
open class UIWindow {}

@available(*, unavailable, message: "UIKit's screens are not simulated: leave files with views out of the target")
open class UIAlertController {}
