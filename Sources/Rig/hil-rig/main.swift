import VirtualRig

RigProcess.run()
