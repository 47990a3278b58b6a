"""A headless Chromium by way of chromedriver, with nothing but Python's own library."""
import base64
import json
import subprocess
import sys
import time
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-dev-shm-usage", "--lang=en"]


class Browser:
    def __init__(self, profile, width=1200, height=900):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.split("port")[-1].strip(" .\n")
                break
        if not port:
            raise SystemExit("chromedriver did not start")
        self.base = "http://127.0.0.1:" + port
        options = {"args": FLAGS + ["--user-data-dir=" + profile, f"--window-size={width},{height}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "timeouts": {"pageLoad": 120000, "script": 120000},
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        try:
            self.base += "/session/" + self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except Exception:
            self.driver.kill()
            raise

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(e.read().decode()) from None

    def go(self, path):
        """Open a file, and forget what was logged before; the seconds it took until its scripts were done."""
        self.call("POST", "/url", {"url": "about:blank"})
        self.log("performance"), self.log("browser")
        began = time.monotonic()
        self.call("POST", "/url", {"url": "file://" + urllib.request.pathname2url(path)})
        return time.monotonic() - began

    def js(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def media(self, kind="", scheme="light"):
        self.cdp("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def width(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def keys(self, text):
        """Into what has the focus."""
        pressed = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": pressed}]})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def requests(self):
        """What the page asked for, itself left out."""
        urls = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent" and message["params"].get("type") != "Document":
                urls.append(message["params"]["request"]["url"])
        return urls

    def picture(self, path, whole=False):
        data = self.cdp("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def print(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("POST", "/print", {"background": True})))

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


if __name__ == "__main__":
    sys.exit("a library")
