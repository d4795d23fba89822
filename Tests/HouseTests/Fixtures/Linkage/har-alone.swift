import AirframeHAR

let log = HAR.Log(comment: "nothing happened")
print(log.data.count)
